import type { ServiceEnv, ServiceMiddleware } from "./service-env.js";

/** Sets the operation of a request for later middleware. */
export function setOperation(operation: ServiceEnv["Variables"]["operation"]): ServiceMiddleware {
  return (c, next) => {
    c.set("operation", operation);
    return next();
  };
}
