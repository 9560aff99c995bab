import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FetchedRequest, fetchedRequest } from "./fetched-request.js";

/** What a request says, or that it was refused. */
async function said(make: () => FetchedRequest) {
  let request: FetchedRequest;
  try {
    request = make();
  } catch (error) {
    return error instanceof TypeError || error instanceof RangeError ? "refused" : error;
  }
  const { method, url, headers } = request;
  const bytes = Buffer.from(await request.arrayBuffer());
  return { method, url, headers: [...headers], bytes: bytes.toString("hex") };
}

const oddly = <Value>(usual: readonly string[], odd: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: odd });

const url = oddly(
  [
    "http://localhost/a",
    "HTTP://LOCALHOST:80/a/../b/%2e?x=%zz#f",
    "https://user:secret@a.test/",
    "http://a.test",
    "/a",
    "",
  ],
  fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string({ unit: "binary" })),
);
const headers = fc.oneof(
  fc.constant(undefined),
  fc.dictionary(
    oddly(["Content-Type", "authorization", "X-A"], fc.string()),
    oddly(["a", " b ", "é"], fc.string({ unit: "binary" })),
    { maxKeys: 3 },
  ),
  fc.array(fc.tuple(fc.constantFrom("a", "A", "content-type"), fc.constantFrom("1", "2")), { maxLength: 3 }),
);
const init = fc.record(
  {
    method: oddly(["GET", "PUT", "POST", "DELETE", "HEAD", "put"], fc.constantFrom("TRACE", "X", "", "a b")),
    headers: headers as fc.Arbitrary<NonNullable<RequestInit["headers"]>>,
    body: fc.option(oddly(['{"a":"é"}', "", "\ud800"], fc.string({ unit: "binary" }))),
    redirect: fc.constantFrom("manual", "follow", "sideways") as fc.Arbitrary<"manual">,
    signal: fc.constantFrom(null, new AbortController().signal),
    keepalive: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe("a call of fetch", () => {
  it("is read as a Request would read it, whatever is given", async () => {
    await fc.assert(
      fc.asyncProperty(url, fc.option(init, { nil: undefined }), async (target, given) => {
        const expected = await said(() => new Request(target, given));
        expect(await said(() => fetchedRequest(target, given))).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("takes a body in any form that Request takes", async () => {
    for (const body of [new URLSearchParams("a=b"), new Blob(["é"]), new Uint8Array([1, 255])]) {
      const given = { method: "PUT", body };
      expect(await said(() => fetchedRequest("http://a.test/", given))).toEqual(
        await said(() => new Request("http://a.test/", given)),
      );
    }
  });
});
