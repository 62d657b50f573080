import { Host, HostList } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { User } from "../../src/shared/users.ts";
import { assign } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { PASSWORD } from "../harness/root-user.ts";

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

/** The first hundred hosts, in the order of the list. */
export async function listHosts(api: RestClient): Promise<Hosts> {
  const { data } = await api.get("/api/hosts?limit=100");
  const [first, second, third, ...more] = HostList.parse(data).hosts;
  if (first === undefined || second === undefined || third === undefined) throw new Error("too few hosts");
  return [first, second, third, ...more];
}

export async function getHost(api: RestClient, { id }: Host): Promise<Host> {
  return Host.parse((await api.get(`/api/hosts/${id}`)).data);
}

/** A user with the super admin's password. */
export async function createUser(api: RestClient, user: NewUser): Promise<CreatedUser> {
  const { data } = await assertOk(api.post("/api/users", { ...user, password: PASSWORD }));
  return { ...User.parse(data), password: PASSWORD };
}

/** Assigns the host from now on, and returns the end. */
export async function assignHost(api: RestClient, host: Host, user: User, days: number): Promise<number> {
  const period = await assign({ root: api }, host.id, user.id, { from: 0, to: days * DAY_SECONDS });
  return period.assignedExpireTime;
}

export async function processRenewal(api: RestClient, id: string, decision: object): Promise<void> {
  await assertOk(api.put(`/api/renewals/${id}/process`, decision));
}
