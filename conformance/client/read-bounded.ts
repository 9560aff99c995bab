/** No answer of the contract comes near this. */
const mostBytes = 64 * 1024 * 1024;

/**
 * The text of an answer's body, in UTF-8.
 *
 * @throws Error when the body is larger than anything that the contract knows; what a gzip stream unpacks to counts
 */
export async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > mostBytes) {
      await reader.cancel();
      throw new Error(`the answer is larger than ${mostBytes >> 20} MB`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
