/** JSON that others wrote is read without a throw, whatever it is. */
import { expect, test } from 'vitest';
import { jsonFields, parseJson } from '../../src/util/json.ts';

test.each([undefined, '', '{', 'null', '[]', '1', '"text"'])('%j has no fields', text => {
  expect(jsonFields(text)).toEqual({});
});

test('fields and values are as they were written', () => {
  expect(jsonFields('{"a":[1]}')).toEqual({ a: [1] });
  expect([parseJson('null'), parseJson('[1]'), parseJson('{'), parseJson(undefined)]).toEqual([
    null,
    [1],
    undefined,
    undefined,
  ]);
});
