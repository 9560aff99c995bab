export default {
  client: {
    input: "../../../../openapi/openapi.json",
    output: {
      target: "client/client.ts",
      client: "fetch",
      // keys can contain any character
      urlEncodeParameters: true,
      override: { mutator: { path: "./send.ts", name: "send" } },
    },
  },
};
