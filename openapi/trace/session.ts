import type { Statement } from "./statement.js";

/** Parts 4 and 4.1: requests in general, login and session. */
export const sessionStatements: readonly Statement[] = [
  {
    part: "4",
    says: "Paths are relative to a base URL",
    reason: "a target names its base URL, and every request is made from it",
  },
  {
    part: "4",
    says: "All bodies are JSON, of requests and of answers",
    clauses: ["GEN-06"],
    gaps: ["unknown-request-members"],
  },
  { part: "4", says: "Not said: the status of a body that is no JSON", open: true },
  {
    part: "4",
    says: "Not said: whether what is almost JSON is read, or a number taken for a text",
    reason: "in the emulator it is refused; the suite sends neither",
  },
  { part: "4", says: "Not said: null for a member that may be left out", gaps: ["null-optional-members"] },
  {
    part: "4",
    says: "Not said: query parameters that no operation names",
    gaps: ["unknown-request-members"],
  },
  { part: "4", says: "Not said: a query parameter that is there twice", open: true },
  {
    part: "4",
    says: "Requests come with Content-Type application/json",
    clauses: ["GEN-09"],
    gaps: ["content-type"],
  },
  { part: "4", says: "Not said: the status of a body that is not sent as application/json", open: true },
  { part: "4", says: "Bearer credentials go into Authorization", clauses: ["AUTH-15"] },
  { part: "4", says: "Not said: a slash at the end of a path", gaps: ["trailing-slash"] },
  { part: "4", says: "Not said: whether a web page of another origin may call", gaps: ["cross-origin"] },

  { part: "4.1", says: "POST /auth/password takes email and password", clauses: ["AUTH-01"] },
  { part: "4.1", says: "Not said: whether capital letters tell addresses apart", gaps: ["email-case"] },
  { part: "4.1", says: "Login answers 200 with status and authResponse", clauses: ["AUTH-01"] },
  { part: "4.1", says: "Not said: which organization a login is for", gaps: ["login-organization"] },
  { part: "4.1", says: "Not said: authResponse of a login that fails", open: true },
  { part: "4.1", says: "POST /auth/refresh takes a refreshToken", clauses: ["AUTH-09"] },
  {
    part: "4.1",
    says: "Refresh answers accessToken, a new refreshToken and expiresIn",
    clauses: ["AUTH-09"],
  },
  {
    part: "4.1",
    says: "Not said: the status of a refresh and of switching",
    gaps: ["session-status"],
  },
  {
    part: "4.1",
    says: "Not said: which organization a refreshed token is for",
    gaps: ["refresh-organization"],
  },
  { part: "4.1", says: "POST /auth/switch-organization takes an organizationId", clauses: ["AUTH-12"] },
  { part: "4.1", says: "Switching requires a JWT", clauses: ["AUTH-14"] },
  { part: "4.1", says: "Switching answers an auth response at the top level", clauses: ["AUTH-12"] },
  {
    part: "4.1",
    says: "Not said: what becomes of the tokens from before switching",
    reason: "in the emulator they go on for their own organization until they expire",
  },
];
