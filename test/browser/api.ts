import { z } from "zod";
import { Host, HostList } from "../../src/shared/hosts.ts";
import { Renewal } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { User } from "../../src/shared/users.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { ADMIN } from "./server.ts";

/** One call of a signed-in person; resolves with the envelope's content. */
export type Api = (method: string, path: string, body?: object) => Promise<unknown>;

export interface Account {
  readonly username: string;
  readonly password: string;
}

interface Person {
  readonly username: string;
  readonly name: string;
  readonly role: "admin" | "client";
  readonly adminId?: string;
}

const Envelope = z.object({ data: z.unknown() });
const Token = z.object({ token: z.string() });

/** For what a story finds in place when it begins, or what happens out of its sight: the public REST API. */
export async function signInToApi(url: string, { username, password }: Account = ADMIN): Promise<Api> {
  const { token } = Token.parse(await call(url, null, "POST", "/api/auth/login", { username, password }));
  return async (method, path, body) => await call(url, token, method, path, body);
}

/** Stores the provider's key and syncs everything; resolves with the first hundred hosts, as the list shows them. */
export async function importHosts(api: Api, provider: { readonly url: string }): Promise<readonly Host[]> {
  const config = { name: "生产账号", ...MAIN_KEYS, apiUrl: provider.url, defaultRegion: "cn-bj2" };
  await api("POST", "/api/hosts/configs", config);
  await api("POST", "/api/hosts/sync?wait=25");
  return HostList.parse(await api("GET", "/api/hosts?limit=100")).hosts;
}

/** The same, for a story of one host. */
export async function importHost(api: Api, provider: { readonly url: string }): Promise<Host> {
  const [host] = await importHosts(api, provider);
  if (host === undefined) throw new Error("the provider has no hosts");
  return host;
}

/** An account with the super admin's own password, ready to sign in with. */
export async function createAccount(api: Api, person: Person): Promise<User & Account> {
  const { password } = ADMIN;
  return { ...User.parse(await api("POST", "/api/users", { ...person, password })), password };
}

/** A client, and what acts for it. */
export async function addClient(api: Api, url: string, username: string, name: string) {
  const client = await createAccount(api, { username, name, role: "client" });
  return { client, asClient: await signInToApi(url, client) };
}

export async function assignHost(api: Api, host: Host, user: User, days: number): Promise<Host> {
  const assignedExpireTime = Math.floor(Date.now() / 1000) + days * DAY_SECONDS;
  return Host.parse(await api("POST", "/api/hosts/assign", { hostId: host.id, userId: user.id, assignedExpireTime }));
}

/** Where most stories of two people begin: a host that the client 张客户 has for thirty days. `api` speaks for the super admin. */
export async function shareHost(url: string, provider: { readonly url: string }) {
  const api = await signInToApi(url);
  const host = await importHost(api, provider);
  const client = await createAccount(api, { username: "zhang_kehu", name: "张客户", role: "client" });
  await assignHost(api, host, client, 30);
  return { api, host, client };
}

export async function applyForRenewal(api: Api, host: Host, requestedDuration: number): Promise<Renewal> {
  return Renewal.parse(await api("POST", "/api/renewals", { hostId: host.id, requestedDuration }));
}

async function call(url: string, token: string | null, method: string, path: string, body?: object): Promise<unknown> {
  const headers = {
    "content-type": "application/json",
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return Envelope.parse(JSON.parse(text)).data;
}
