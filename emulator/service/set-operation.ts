import type { ServiceEnv, ServiceMiddleware } from "./service-env.js";

/** Notes the operation of a request for all later middleware. */
export function setOperation(operation: ServiceEnv["Variables"]["operation"]): ServiceMiddleware {
  return (c, next) => {
    c.set("operation", operation);
    return next();
  };
}
