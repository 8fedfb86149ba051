// DynamoDB's attribute values as they travel in JSON, and the requests in the form dynalite's
// validations leave them.
// Owns: the types that the other files of the twin share. Values have been validated when they have
// these types.

/** One typed value, e.g. `{ S: 'text' }`; exactly one member is present. */
export interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly string[];
  readonly L?: readonly AttributeValue[];
  readonly M?: Item;
}

export type ValueType = keyof AttributeValue;

export type Item = { readonly [attribute: string]: AttributeValue };

/** A JSON object in an answer of the service. */
export type Body = Record<string, unknown>;

/** A document path: names and list positions. */
export type Path = readonly (string | number)[];

/** A node of dynalite's parsed condition: an operator or function over paths, values and nodes. */
export interface Expression {
  readonly type: string;
  readonly name?: string;
  readonly args: readonly Operand[];
}

export type Operand = Path | AttributeValue | Expression;

/** The old, non-expression way to state a condition on one attribute. */
export interface LegacyCondition {
  readonly Exists?: boolean;
  readonly ComparisonOperator?: string;
  readonly AttributeValueList?: readonly AttributeValue[];
  readonly Value?: AttributeValue;
}

export type LegacyConditions = { readonly [attribute: string]: LegacyCondition };

export interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

/** One part of a parsed update expression: what to do at a path. */
export interface Section {
  readonly type: 'set' | 'remove' | 'add' | 'delete';
  readonly path: Path;
  readonly val?: Source;
  readonly attrType?: string;
}

/** What is to be assigned: a path, a value, or a function or operator of these. */
export type Source = Path | AttributeValue | Computation;

export interface Computation {
  readonly type: 'add' | 'subtract' | 'function';
  readonly name?: string;
  readonly args: readonly Source[];
}

export interface ParsedUpdate {
  readonly sections: readonly Section[];
  readonly paths: readonly Path[];
}

/**
 * A validated request of a single-table operation, with what dynalite's parsers added (names with
 * `_`).
 */
export interface RequestData {
  TableName: string;
  readonly IndexName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly Expected?: LegacyConditions;
  readonly ConditionalOperator?: string;
  readonly QueryFilter?: LegacyConditions;
  readonly ScanFilter?: LegacyConditions;
  readonly AttributesToGet?: readonly string[];
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly Select?: string;
  readonly ReturnValues?: string;
  readonly ReturnConsumedCapacity?: string;
  readonly KeyConditions?: LegacyConditions;
  readonly ProjectionExpression?: string;
  readonly AttributeUpdates?: Body;
  readonly _updates?: ParsedUpdate;
  readonly _condition?: { readonly expression: Expression };
  readonly _filter?: { readonly expression: Expression; readonly pathHeads: Body };
  readonly _projection?: { readonly paths: readonly Path[]; readonly nestedPaths: Body };
}

/** The type of a value: its one member. */
export const typeOf = (value: AttributeValue): ValueType | undefined => {
  for (const type in value) return type as ValueType;
  return undefined;
};

/** A JSON object, as opposed to an array, null or a scalar. */
export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
