import type { ProblemKind } from "./problems.js";

interface ProblemExample {
  readonly detail: string;
  readonly errors?: readonly { readonly in: string; readonly pointer: string; readonly detail: string }[];
}

export const problemExamples: Readonly<Partial<Record<ProblemKind, ProblemExample>>> = {};

export const sqlErrorExamples: Readonly<
  Record<string, { readonly message: string; readonly details: string }>
> = {};
