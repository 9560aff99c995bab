/** What somebody says of a deployment before its first certification. */
export interface TargetAnswers {
  readonly url: string;
  /** E-mail addresses by what the users are; the owner's at least. */
  readonly users: Readonly<Record<string, string>>;
  /** Environment variable that holds a user's password, by the same names. */
  readonly variables: Readonly<Record<string, string>>;
  readonly organizationId?: string;
  readonly databaseId?: string;
  readonly capabilities: readonly string[];
}

/** The text of a target file; passwords are in it as names of environment variables. */
export function targetTemplate(answers: TargetAnswers): string {
  const { url, users, variables, organizationId, databaseId, capabilities } = answers;
  const lines = Object.entries(users).map(([name, email]) => {
    const organization =
      name === "owner" && organizationId !== undefined ? `, organizationId: ${quoted(organizationId)}` : "";
    return `  ${name}: { email: ${quoted(email)}, password: ${quoted(`\${${variables[name] ?? ""}}`)}${organization} }`;
  });
  return `# A deployment as data-service certify needs to know it; \${NAME} is an environment variable.
# What else may stand here: data-service schema target
baseUrl: ${quoted(url)}
users:
${lines.join("\n")}
${databaseId === undefined ? "# databaseId: a database to work in; without it the suite creates one" : `databaseId: ${quoted(databaseId)}`}
# invitations send e-mail and checkouts reach the payment provider, so both have to be named
capabilities: [${capabilities.join(", ")}]
politeness: { requestsPerSecond: 25, concurrency: 4, retries: 5 }
`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
