/** A server of `node:http` that does nothing but answer: less work than any other server here can have. */
import { Buffer } from "node:buffer";
import { createServer } from "node:http";

/** @type {Map<string, string>} */
const answers = new Map();

createServer((request, response) => {
  const [, what, name] = request.url.split("/");
  if (request.method === "GET") {
    send(response, what === "read" ? name : undefined);
    return;
  }
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text) => (body += text));
  request.on("end", () => {
    // the benchmark tells which bytes to answer
    if (what === "answers") answers.set(name, body);
    send(response, name);
  });
}).listen(Number(process.argv[2] ?? 0), "127.0.0.1", function () {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${this.address().port}` }));
});

function send(response, name) {
  const body = answers.get(name) ?? "{}";
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}
