import { buildControlPlaneDocument } from "../../openapi/control-plane/document.js";
import type { ControlHandler } from "./control-handler.js";

/** GET /_emulator/openapi.json: its server is the one it came from. */
export const getControlPlaneDocument: ControlHandler<"getControlPlaneDocument"> = ({ baseUrl }) => {
  const { openapi, info, paths, ...rest } = buildControlPlaneDocument();
  const servers = baseUrl === undefined ? {} : { servers: [{ url: baseUrl, description: "This emulator." }] };
  return { status: 200, body: { openapi, info: { ...info }, ...rest, ...servers, paths: { ...paths } } };
};
