type JsonPrimitive = string | number | boolean | null;

/** Any JSON value in a response. */
export type JsonValue = JsonPrimitive | JsonValue[] | JsonObject;

/** Any JSON object in a response. */
export interface JsonObject {
  [name: string]: JsonValue;
}

/** Any JSON value in a request. Undefined fields are omitted. */
export type JsonInputValue = JsonPrimitive | readonly JsonInputValue[] | JsonInputObject;

/**
 * Any JSON object, as it is sent. Values of an interface are taken too, which no index signature takes, and no `Date`, no
 * function and nothing to iterate over. What is written in place is looked through to its last member.
 */
export type JsonInputObject = { readonly [name: string]: JsonInputValue | undefined } | (object & NotBuiltIn);

/** What tells a `Date`, a function, a `Map` or an array from an object with members of these names. */
interface NotBuiltIn {
  readonly toJSON?: JsonPrimitive | undefined;
  readonly call?: JsonPrimitive | undefined;
  readonly [Symbol.iterator]?: never;
}

/** A type of data as far as JSON has it: what JSON does not have, as far down as it may be, takes no value. */
type Serializable<Data> = Data extends JsonPrimitive | undefined
  ? Data
  : Data extends readonly unknown[]
    ? { [Index in keyof Data]: Serializable<Data[Index]> }
    : Data extends object & NotBuiltIn
      ? { [Name in keyof Data]: Serializable<Data[Name]> }
      : never;

/** Data in a request: of the user's type, or any. */
export type JsonInput<Data> = JsonObject extends Data ? JsonInputObject : Serializable<Data>;

/** Attributes that an update sets. */
export type PartialJsonInput<Data> = JsonObject extends Data ? JsonInputObject : Serializable<Partial<Data>>;

/** Attributes that a projection leaves. */
export type Projected<Data> = JsonObject extends Data ? JsonObject : Partial<Data>;
