/** The syntax tree that `sql.peggy` builds. Values are not typed yet. */

/** The types in part 2 of the specification, under the first name of each family. */
export const scalarTypeNames = [
  "VARCHAR",
  "INT",
  "BIGINT",
  "SMALLINT",
  "TINYINT",
  "FLOAT",
  "DOUBLE",
  "DECIMAL",
  "BOOLEAN",
  "DATE",
  "TIME",
  "TIMESTAMP",
  "BLOB",
  "UUID",
  "TIMEUUID",
] as const;
export type ScalarTypeName = (typeof scalarTypeNames)[number];

export type SqlType =
  | { readonly kind: "scalar"; readonly name: ScalarTypeName }
  | { readonly kind: "list" | "set"; readonly element: SqlType }
  | { readonly kind: "map"; readonly key: SqlType; readonly value: SqlType };

/** A constant. Numbers keep their text, so that no digit is lost. `{}` is an empty `set`, which may also mean an empty map. */
export type Literal =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "string"; readonly value: string }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "blob"; readonly hex: string }
  | { readonly kind: "list" | "set"; readonly items: readonly Value[] }
  | { readonly kind: "map"; readonly entries: readonly { readonly key: Value; readonly value: Value }[] };

/** A marker `?`; `index` counts from 0 in the order of the text. */
export interface Parameter {
  readonly kind: "parameter";
  readonly index: number;
}

export type Value = Literal | Parameter;

export type ComparisonOperator = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** AND and OR have at least two operands. Chains of them are flat. */
export type Condition =
  | {
      readonly kind: "compare";
      readonly operator: ComparisonOperator;
      readonly column: string;
      readonly value: Value;
    }
  | { readonly kind: "in"; readonly column: string; readonly values: readonly Value[] }
  | { readonly kind: "between"; readonly column: string; readonly low: Value; readonly high: Value }
  | { readonly kind: "like"; readonly column: string; readonly pattern: Value }
  | { readonly kind: "is-null"; readonly column: string; readonly negated: boolean }
  | { readonly kind: "and" | "or"; readonly operands: readonly Condition[] }
  | { readonly kind: "not"; readonly operand: Condition };

/** `column: null` of a count is `COUNT(*)`. */
export type SelectItem =
  | { readonly kind: "column"; readonly column: string; readonly alias: string | null }
  | { readonly kind: "count"; readonly column: string | null; readonly alias: string | null };

export type Selection =
  { readonly kind: "all" } | { readonly kind: "items"; readonly items: readonly SelectItem[] };

export interface OrderItem {
  readonly column: string;
  readonly direction: "asc" | "desc";
}

export interface Select {
  readonly kind: "select";
  readonly selection: Selection;
  readonly table: string;
  readonly where: Condition | null;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Value | null;
  readonly allowFiltering: boolean;
}

export interface Insert {
  readonly kind: "insert";
  readonly table: string;
  /** Null for all columns in their order. */
  readonly columns: readonly string[] | null;
  readonly rows: readonly (readonly Value[])[];
}

export interface Update {
  readonly kind: "update";
  readonly table: string;
  readonly assignments: readonly { readonly column: string; readonly value: Value }[];
  readonly where: Condition | null;
  readonly allowFiltering: boolean;
}

export interface Delete {
  readonly kind: "delete";
  readonly table: string;
  readonly where: Condition | null;
  readonly allowFiltering: boolean;
}

export interface ColumnDefinition {
  readonly kind: "column";
  readonly name: string;
  readonly type: SqlType;
  readonly notNull: boolean;
  readonly defaultValue: Value | null;
  readonly primaryKey: boolean;
}

export interface PrimaryKey {
  readonly partition: readonly string[];
  readonly clustering: readonly string[];
}

export interface CreateTable {
  readonly kind: "create-table";
  readonly table: string;
  readonly ifNotExists: boolean;
  readonly columns: readonly ColumnDefinition[];
  /** The PRIMARY KEY clause, if any. */
  readonly primaryKey: PrimaryKey | null;
}

export type AlterAction =
  | { readonly kind: "add"; readonly column: ColumnDefinition; readonly ifNotExists: boolean }
  | { readonly kind: "drop"; readonly column: string; readonly ifExists: boolean }
  | { readonly kind: "rename"; readonly from: string; readonly to: string };

export interface AlterTable {
  readonly kind: "alter-table";
  readonly table: string;
  readonly action: AlterAction;
}

export interface DropTable {
  readonly kind: "drop-table";
  readonly table: string;
  readonly ifExists: boolean;
}

export interface CreateIndex {
  readonly kind: "create-index";
  readonly index: string;
  readonly ifNotExists: boolean;
  readonly unique: boolean;
  readonly table: string;
  readonly columns: readonly string[];
}

export interface DropIndex {
  readonly kind: "drop-index";
  readonly index: string;
  readonly ifExists: boolean;
}

/** A statement for the `query` endpoint. */
export type DataStatement = Select | Insert | Update | Delete;

/** A statement for the `execute` endpoint. */
export type DefinitionStatement = CreateTable | AlterTable | DropTable | CreateIndex | DropIndex;

export type Statement = DataStatement | DefinitionStatement;
