/**
 * A request of a recipe. The text `{1.nextCursor}` is replaced with this field of the first response, and `{x * 409600}`
 * with 409,600 times the letter x.
 */
export interface RecipeRequest {
  /** `METHOD path`. Paths under `/_emulator` belong to the control plane. */
  readonly request: string;
  /** The credential: an API key, an access token, or `EMAIL ORGANIZATION` for a token of that user. */
  readonly as?: string | undefined;
  readonly body?: unknown;
  /** The text of the body, instead of `body`. */
  readonly text?: string;
  /** The media type of the body, if it is not JSON. */
  readonly type?: string;
  /** Whether the connection ends without a complete response. */
  readonly isDropped?: true;
}

/** Requests that cover a situation, with the demo fixture. */
export type Recipe = readonly RecipeRequest[];

/** Formats a recipe as a list of requests. */
export function formatRecipe(recipe: Recipe): readonly string[] {
  return recipe.map(({ request, as, body, text, type }) => {
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    return [request, type, content, as === undefined ? undefined : `as ${as}`]
      .filter((part) => part !== undefined)
      .join("  ");
  });
}

/** Renders a recipe as JavaScript, for a test that has the fixture `dataService`. */
export function renderRecipeCode(recipe: Recipe): string {
  const all = JSON.stringify(recipe);
  return recipe
    .map(({ request, as, body, text, type = "application/json", isDropped }, index) => {
      const [method = "", path = ""] = request.split(" ");
      const content =
        text !== undefined
          ? formatValue(text)
          : body === undefined
            ? undefined
            : `JSON.stringify(${formatValue(body)})`;
      const headers = [
        ...(as === undefined ? [] : [`Authorization: ${formatAuthorization(as)}`]),
        ...(content === undefined ? [] : [`"Content-Type": "${type}"`]),
      ];
      const init = [
        ...(method === "GET" ? [] : [`method: "${method}"`]),
        ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
        ...(content === undefined ? [] : [`body: ${content}`]),
      ];
      const place = formatTemplate(path, (value) => `encodeURIComponent(${value})`);
      const call = `await dataService.fetch(${place}${init.length === 0 ? "" : `, { ${init.join(", ")} }`})`;
      const name = `{${index + 1}.`;
      // if the connection breaks in the middle of a response, reading the body fails
      if (isDropped === true) return `${call}.then((answer) => answer.text()).catch(() => "dropped");`;
      return all.includes(name) ? `const answer${index + 1} = await (${call}).json();` : `${call};`;
    })
    .join("\n");
}

const reference = /\{(\d+)\.([\w.]+)\}/g;

function formatValue(value: unknown): string {
  return JSON.stringify(value)
    .replace(/"\{(\d+)\.([\w.]+)\}"/g, "answer$1.$2")
    .replace(/"\{(\w+) \* (\d+)\}"/g, '"$1".repeat($2)');
}

function formatAuthorization(as: string): string {
  const [email = "", organizationId = ""] = as.split(" ");
  if (!email.includes("@")) return formatTemplate(`Bearer ${as}`);
  return `\`Bearer \${await dataService.token({ email: "${email}", organizationId: "${organizationId}" })}\``;
}

function formatTemplate(text: string, shown = (value: string) => value): string {
  const filled = text.replace(
    reference,
    (_whole, number: string, field: string) => `\${${shown(`answer${number}.${field}`)}}`,
  );
  return filled === text ? JSON.stringify(text) : `\`${filled}\``;
}
