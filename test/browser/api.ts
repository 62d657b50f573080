import { z } from "zod";
import { SignIn } from "../../src/shared/auth.ts";
import { Config } from "../../src/shared/configs.ts";
import { Host, HostList } from "../../src/shared/hosts.ts";
import { Renewal } from "../../src/shared/renewals.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { User } from "../../src/shared/users.ts";
import { MAIN_KEYS } from "../../src/simulator/options.ts";
import { ADMIN } from "./server.ts";

/** One REST call of a signed-in user; resolves with the envelope's content. */
export type Api = (method: string, path: string, body?: object) => Promise<unknown>;

export interface Account {
  readonly username: string;
  readonly password: string;
}

interface NewUser {
  readonly username: string;
  readonly name: string;
  readonly role: "admin" | "client";
  readonly adminId?: string;
  readonly email?: string;
}

/** The first hosts of the list, at least three. */
export type Hosts = readonly [Host, Host, Host, ...Host[]];
/** A user, with the password to sign in with. */
export type CreatedUser = User & Account;

const Envelope = z.object({ data: z.unknown() });

export async function createSession(url: string, { username, password }: Account = ADMIN): Promise<SignIn> {
  return SignIn.parse(await call(url, null, "POST", "/api/auth/login", { username, password }));
}

/** For the state that a test starts from, and for what other users do meanwhile. */
export async function signInToApi(url: string, account?: Account): Promise<Api> {
  const { token } = await createSession(url, account);
  return async (method, path, body) => await call(url, token, method, path, body);
}

export async function createConfig(api: Api, apiUrl: string, more: object = {}): Promise<Config> {
  const config = { name: "生产账号", ...MAIN_KEYS, apiUrl, defaultRegion: "cn-bj2", ...more };
  return Config.parse(await api("POST", "/api/hosts/configs", config));
}

export async function syncHosts(api: Api): Promise<void> {
  await api("POST", "/api/hosts/sync?wait=25");
}

/** The first hundred hosts, in the order of the list. */
export async function listHosts(api: Api): Promise<Hosts> {
  const [first, second, third, ...more] = HostList.parse(await api("GET", "/api/hosts?limit=100")).hosts;
  if (first === undefined || second === undefined || third === undefined) throw new Error("too few hosts");
  return [first, second, third, ...more];
}

export async function getHost(api: Api, { id }: Host): Promise<Host> {
  return Host.parse(await api("GET", `/api/hosts/${id}`));
}

/** A user with the super admin's password. */
export async function createUser(api: Api, user: NewUser): Promise<CreatedUser> {
  const { password } = ADMIN;
  return { ...User.parse(await api("POST", "/api/users", { ...user, password })), password };
}

export async function assignHost(api: Api, host: Host, user: User, days: number): Promise<Host> {
  const assignedExpireTime = Math.floor(Date.now() / 1000) + days * DAY_SECONDS;
  return Host.parse(await api("POST", "/api/hosts/assign", { hostId: host.id, userId: user.id, assignedExpireTime }));
}

export async function applyForRenewal(api: Api, host: Host, requestedDuration: number): Promise<Renewal> {
  return Renewal.parse(await api("POST", "/api/renewals", { hostId: host.id, requestedDuration }));
}

export async function processRenewal(api: Api, { id }: Renewal, decision: object): Promise<void> {
  await api("PUT", `/api/renewals/${id}/process`, decision);
}

async function call(url: string, token: string | null, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(url + path, {
    method,
    headers: { "content-type": "application/json", ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return Envelope.parse(JSON.parse(text)).data;
}
