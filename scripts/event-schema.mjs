/** The JSON Schema of one line of `ralph run --json`, made from its type: the events are defined once, in src/events.ts. */
import { membersOf, withType } from './type-schema.mjs';

export function eventSchema() {
  const place = { file: 'src/report/json.ts', name: 'JsonLine', place: '#/$defs/', closed: true };
  return withType(place, (line, maker) => {
    const variants = membersOf(line)
      .map(type => maker.objectOf(type))
      .toSorted((a, b) => (a.properties.type.const < b.properties.type.const ? -1 : 1));
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      oneOf: variants,
      $defs: maker.definitions(),
    };
  });
}
