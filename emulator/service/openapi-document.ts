import type { Handler } from "hono";
import type { Namespaces } from "../namespaces/namespaces.js";
import { getContract } from "../request/get-contract.js";
import { respond } from "./respond.js";
import type { ServiceEnv } from "./service-env.js";

/** Serves the contract of the current profile, with the requested host as its server. */
export function serveOpenApiDocument(namespaces: Namespaces): Handler<ServiceEnv> {
  return (c) => {
    const { baseUrl, namespace } = c.get("target");
    const { profile } = namespaces.getExisting(namespace) ?? namespaces.options;
    const servers = [{ url: baseUrl(), description: "This emulator." }];
    return respond(c, {
      status: 200,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...getContract(profile).document, servers }),
    });
  };
}
