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
 * Any JSON object in a request. Also accepts values of an interface, which an index signature would not, but no `Date`,
 * function or iterable. Object literals are checked in depth.
 */
export type JsonInputObject = { readonly [name: string]: JsonInputValue | undefined } | (object & NotBuiltIn);

/** Distinguishes a `Date`, a function, a `Map` or an array from an object with fields of these names. */
interface NotBuiltIn {
  readonly toJSON?: JsonPrimitive | undefined;
  readonly call?: JsonPrimitive | undefined;
  readonly [Symbol.iterator]?: never;
}

/** Restricts a type to JSON: any part of it that JSON does not have becomes `never`, at any depth. */
type Serializable<Data> = Data extends JsonPrimitive | undefined
  ? Data
  : Data extends readonly unknown[]
    ? { [Index in keyof Data]: Serializable<Data[Index]> }
    : Data extends object & NotBuiltIn
      ? { [Name in keyof Data]: Serializable<Data[Name]> }
      : never;

/** Data in a request: of the caller's type, or any. */
export type JsonInput<Data> = JsonObject extends Data ? JsonInputObject : Serializable<Data>;

/** The attributes that an update sets. */
export type PartialJsonInput<Data> = JsonObject extends Data ? JsonInputObject : Serializable<Partial<Data>>;

/** The attributes that a projection keeps. */
export type Projected<Data> = JsonObject extends Data ? JsonObject : Partial<Data>;
