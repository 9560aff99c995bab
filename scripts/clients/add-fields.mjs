/** Fields with user data, whose names are chosen by users. */
const freeForm = new Set(["data", "rows"]);

/** Hono middleware that adds a field to every object in a JSON response, including problems and entries of lists. */
export async function addFields(c, next) {
  await next();
  const { res } = c;
  if (!/\bjson$/.test(res.headers.get("Content-Type") ?? "")) return;
  c.res = new Response(JSON.stringify(withAddedFields(await res.json())), res);
}

function withAddedFields(value) {
  if (Array.isArray(value)) return value.map(withAddedFields);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    freeForm.has(name) ? field : withAddedFields(field),
  ]);
  return { ...Object.fromEntries(fields), addedLater: { version: 2 } };
}
