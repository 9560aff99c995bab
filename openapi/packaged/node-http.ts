/**
 * What is used of `node:http`. Its import would read all that it exports, among it `WebSocket`, for which newer versions
 * of Node load their whole `fetch`: a third of the time that a start takes.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");
