import { type Handler, Hono, type MiddlewareHandler } from "hono";
import type { Profile } from "../../openapi/gaps/profile.js";
import { createControlPlane } from "../control/control-plane.js";
import { emulatorLimits } from "../memory/limits.js";
import { CachePool, PooledCache } from "../memory/cache-pool.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import { getContract, getProfileKey } from "../request/get-contract.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import { listMountedOperations } from "../request/mounted-operation.js";
import { authenticate, authorize, rateLimit } from "../service/access.js";
import { cutConnection, ConnectionDroppedError } from "../service/cut-connection.js";
import { cors } from "../service/cors.js";
import { failures, faults } from "../service/faults.js";
import { handle } from "../service/handle.js";
import { journal } from "../service/journal.js";
import {
  browserIcon,
  redirectToConsole,
  redirectToProblemPage,
  problemTypePathPrefix,
} from "../service/browser-requests.js";
import { namespace } from "../service/namespace.js";
import { notFound } from "../service/not-found.js";
import { withRequestBody } from "../service/read-body.js";
import { getTime, respond, respondToError } from "../service/respond.js";
import {
  pageViewSymbol,
  setOperation,
  type ServiceContext,
  type ServiceEnv,
} from "../service/service-env.js";
import { mountPathSymbol, getRoutedPath, target } from "../service/target.js";
import { isHttpException, wrapUserMiddleware } from "../service/user-middleware.js";
import { validate } from "../service/validate.js";
import { applyDueChanges } from "../world/apply-due-changes.js";

/** Options of the application. */
export interface AppOptions {
  /** Whether to serve the console. */
  readonly hasConsole: boolean;
  /** Whether the emulator is listening; live pages stop when it is not. */
  readonly isListening: () => boolean;
  /** Middleware of the user around the service. */
  readonly middleware: readonly MiddlewareHandler<EmulatorEnv>[];
}

/** Creates the emulator as a Hono application, which can be served, called or mounted like any other. */
export function createApp(namespaces: Namespaces, options: AppOptions): Hono<EmulatorEnv> {
  const apps = new PooledCache<Hono<EmulatorEnv>>({ pool: new CachePool(emulatorLimits.profiles) });
  const appOf = (profile: Profile) =>
    apps.get(getProfileKey(profile), () => createAppForProfile(profile, shared));
  const shared: SharedServices = { ...options, namespaces, appOf, defaultApp: () => defaultApp };
  const defaultApp = createAppForProfile(namespaces.options.profile, shared);
  return defaultApp;
}

/** The parts that the applications of an emulator share. */
interface SharedServices extends AppOptions {
  readonly namespaces: Namespaces;
  /** Returns the application for a profile, which determines routes and schemas. */
  readonly appOf: (profile: Profile) => Hono<EmulatorEnv>;
  readonly defaultApp: () => Hono<EmulatorEnv>;
}

/**
 * Creates the application for a profile. Requests pass through middleware and handlers in the order in which they are
 * mounted. Once the body has been read, everything is synchronous, so that requests never interleave.
 */
function createAppForProfile(profile: Profile, shared: SharedServices): Hono<EmulatorEnv> {
  const { defaultApp, hasConsole, middleware, namespaces } = shared;
  const contract = getContract(profile);
  const operations = listMountedOperations(contract.requests);
  const ignoresSlash = profile["trailing-slash"] === "ignored";
  const app = new Hono<ServiceEnv>({
    getPath: (request, options) => getRoutedPath(request, options?.env, ignoresSlash),
  });

  app.use(target(defaultApp));
  if (hasConsole) {
    app.route("/_emulator/console", createConsolePages(shared));
    app.use("/", redirectToConsole());
    app.use(`${problemTypePathPrefix}:kind`, redirectToProblemPage());
  }
  app.route("/_emulator", createControlPlane(namespaces));
  app.use("/favicon.ico", browserIcon());
  app.get("/openapi.json", cors(app, profile), serveOpenApiDocument(namespaces));

  for (const operation of operations) app.on(operation.method, operation.path, setOperation(operation));
  app.use(namespace(profile, shared), cutConnection(), journal(), cors(app, profile));
  for (const operation of operations) app.on(operation.method, operation.path, faults(operation));
  for (const handler of wrapUserMiddleware(middleware)) app.use(handler);
  app.use(failures());
  for (const operation of operations) {
    const response = (c: ServiceContext) => {
      applyDueChanges(c.get("world").store, getTime(c));
      authenticate(c, operation);
      rateLimit(c);
      authorize(c, operation);
      validate(c, operation, contract.validator);
      return handle(c, operation);
    };
    app.on(operation.method, operation.path, operation.hasBody ? withRequestBody(response) : response);
  }
  app.all("*", notFound(app, profile));
  app.onError((error, c) => {
    // Makes an in-process `fetch` fail like one whose connection is dropped.
    if (error instanceof ConnectionDroppedError) throw error;
    return isHttpException(error) ? error.getResponse() : respondToError(c, error, profile);
  });
  return app as unknown as Hono<EmulatorEnv>;
}

/** Creates the console. Its code is loaded when the first page is requested. */
function createConsolePages({ defaultApp, isListening, namespaces }: SharedServices): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.all("*", async (c) => {
    const { getConsoleApp } = await import("../console/console.js");
    const target = c.get("target");
    const fetch = (request: Request, isView: boolean) =>
      defaultApp().fetch(request, { [pageViewSymbol]: isView, [mountPathSymbol]: target.mount });
    return getConsoleApp().fetch(c.req.raw, { namespaces, isListening, fetch, target });
  });
  return app;
}

/** Serves the contract for the namespace's profile, with the requested host as its server. */
function serveOpenApiDocument(namespaces: Namespaces): Handler<ServiceEnv> {
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
