/**
 * Makes JSON Schemas from TypeScript types, so that each shape is defined once. A comment on a property becomes its
 * description. Named types become definitions.
 */
import { resolve } from 'node:path';
import { API } from 'typescript/unstable/sync';

const OPTIONAL = 1 << 24;

/** Calls `use` with the named type of a file, and with functions that make schemas. */
export function withType({ file, name, ...options }, use) {
  const api = new API({ cwd: process.cwd() });
  try {
    const config = resolve('tsconfig.json');
    const project = api.updateSnapshot({ openProject: config }).getProject(config);
    const source = project.program.getSourceFile(resolve(file));
    const symbol = project.checker
      .getExportsOfModule(project.checker.getSymbolAtLocation(source))
      .find(each => each.name === name);
    return use(project.checker.getDeclaredTypeOfSymbol(symbol), schemaMaker(project.checker, options));
  } finally {
    api.close();
  }
}

/** `place` is the path of definitions; `closed` objects allow no other properties. */
function schemaMaker(checker, { place, closed }) {
  const definitions = new Map();
  return {
    of,
    objectOf,
    propertiesOf: type =>
      checker
        .getPropertiesOfType(type)
        .map(symbol => ({ symbol, type: checker.getTypeOfSymbol(symbol), description: describe(symbol) })),
    definitions: () => Object.fromEntries([...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };

  function describe(symbol) {
    return symbol.getDocumentationComment(checker).replace(/\s+/g, ' ').trim();
  }

  function of(type) {
    const name = nameOf(type);
    if (name === undefined) return shapeOf(type);
    if (!definitions.has(name)) {
      // Set before the type is visited, so that a type may contain itself.
      definitions.set(name, undefined);
      definitions.set(name, shapeOf(type));
    }
    return { $ref: `${place}${name}` };
  }

  function shapeOf(type) {
    if (type.isUnionType()) return unionOf(membersOf(type));
    if (type.isLiteralType()) return { type: typeof type.value, const: type.value };
    if (checker.isArrayType(type)) return { type: 'array', items: of(checker.getTypeArguments(type)[0]) };
    if (checker.isTupleType?.(type) || type.isTupleType?.()) return tupleOf(type);
    if (type.isIntrinsicType()) return { type: type.intrinsicName };
    return objectOf(type);
  }

  function tupleOf(type) {
    return { type: 'array', prefixItems: checker.getTypeArguments(type).map(each => of(each)) };
  }

  function unionOf(types) {
    if (types.length === 1) return of(types[0]);
    if (types.every(type => type.isBooleanLiteralType())) return { type: 'boolean' };
    if (types.every(type => type.isStringLiteralType()))
      return { type: 'string', enum: types.map(({ value }) => value).toSorted() };
    if (types.every(type => type.isNumberLiteralType()))
      return { type: 'number', enum: types.map(({ value }) => value).toSorted() };
    return { anyOf: types.map(of) };
  }

  function objectOf(type) {
    const properties = inOrder(checker.getPropertiesOfType(type)).map(symbol => {
      const description = describe(symbol);
      const optional = (symbol.flags & OPTIONAL) !== 0;
      const schema = of(checker.getTypeOfSymbol(symbol));
      return { name: symbol.name, optional, schema: description === '' ? schema : { ...schema, description } };
    });
    return {
      type: 'object',
      properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
      required: properties.filter(({ optional }) => !optional).map(({ name }) => name),
      ...(closed ? { additionalProperties: false } : {}),
    };
  }
}

/** Fields that every line has come first. */
const FIRST = ['at', 'type'];
const inOrder = symbols => [
  ...FIRST.flatMap(name => symbols.filter(symbol => symbol.name === name)),
  ...symbols.filter(({ name }) => !FIRST.includes(name)),
];

/** The members of a union without `undefined`, which only makes a property optional. */
export const membersOf = type =>
  (type.isUnionType() ? type.getTypes() : [type]).filter(each => each.intrinsicName !== 'undefined');

/** The name of our own types that are more than a list of words; `Pick` and the like have none. */
function nameOf(type) {
  const symbol = type.getAliasSymbol() ?? (type.isClassOrInterface() ? type.getSymbol() : undefined);
  if (symbol === undefined || type.getAliasTypeArguments().length > 0) return undefined;
  if (type.isUnionType() && membersOf(type).every(each => each.isStringLiteralType())) return undefined;
  return /^[A-Z]\w+$/.test(symbol.name) ? symbol.name : undefined;
}
