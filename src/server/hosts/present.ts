import type { Host } from "../../shared/hosts.ts";
import { zoneName } from "../../shared/regions.ts";
import type { Viewer } from "./scope.ts";

/** A host as it is stored. `users` holds only assignments in the viewer's scope. */
export type FoundHost = Omit<Host, "zoneName"> & { readonly showsNetworkToClients: boolean };

/** Super admins and admins see the provider's own data; their scopes differ in `users`. */
export function presentHost({ showsNetworkToClients, ...found }: FoundHost, { id, role, now }: Viewer): Host {
  const host = { ...found, zoneName: zoneName(found.zone) };
  if (role !== "client") return host;
  const own = found.users.find((user) => user.id === id);
  const isCurrent = own !== undefined && own.assignedAt <= now && now <= own.assignedExpireTime;
  return {
    ...host,
    providerStatus: null,
    createTime: own?.assignedAt ?? null,
    expireTime: own?.assignedExpireTime ?? null,
    ipSet: showsNetworkToClients && isCurrent ? found.ipSet : [],
    users: own === undefined ? [] : [own],
    configId: null,
  };
}
