import { defaultNamespace, parseName } from "../request/name.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { ControlHandler } from "./control-types.js";

/** GET /_emulator/namespaces. */
export const listNamespaces: ControlHandler<"listNamespaces"> = (_request, { all }) => ({
  namespaces: all.list().map(describeNamespace),
});

/** PUT /_emulator/namespaces/{name}. */
export const setNamespace: ControlHandler<"setNamespace"> = ({ path, body }, { all }) =>
  describeNamespace(all.set(parseName(path.name, "namespace"), body.idleSeconds));

/** DELETE /_emulator/namespaces/{name}. */
export const deleteNamespace: ControlHandler<"deleteNamespace"> = ({ path }, { all }) => {
  all.delete(path.name);
};

/** POST /_emulator/namespaces/{name}/fork. */
export const forkNamespace: ControlHandler<"forkNamespace"> = ({ path, body }, { all }) =>
  describeNamespace(all.find(path.name).fork(body.to));

export function describeNamespace(namespace: Namespace) {
  const { name, isOpen, snapshots } = namespace;
  return {
    name,
    path: name === defaultNamespace ? "" : `/ns/${name}`,
    bytes: namespace.size(),
    isOpen,
    snapshots: { count: snapshots.list().length, bytes: snapshots.size() },
  };
}
