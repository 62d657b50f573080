import { z } from "zod";
import { Host } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { User } from "../../src/shared/users.ts";
import { assign } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { PASSWORD, type ROOT_USER } from "../harness/root-user.ts";

/** What a person signs in with. */
export type Account = Readonly<typeof ROOT_USER>;

type NewUser = Pick<User, "username" | "name" | "role"> & Partial<Pick<User, "adminId" | "email">>;

/** The first hosts of the list, at least three. */
export const Hosts = z.tuple([Host, Host, Host], Host);
export type Hosts = z.infer<typeof Hosts>;

/** A user, with the password to sign in with. */
export type CreatedUser = User & Account;

/** The host as it is now. */
export async function getHost(api: RestClient, { id }: Host): Promise<Host> {
  return Host.parse((await api.get(`/api/hosts/${id}`)).data);
}

/** The first host that fits; the simulator makes hosts of every kind. */
export function findHost(hosts: Hosts, fits: (host: Host) => boolean): Host {
  const host = hosts.find(fits);
  if (host === undefined) throw new Error("the simulator made no such host");
  return host;
}

/** The first address of a host that has one. */
export function addressOf({ name, ipSet: [address] }: Host): string {
  if (address === undefined) throw new Error(`${name} has no address`);
  return address.IP;
}

/** A user with the super admin's password. */
export async function createUser(api: RestClient, user: NewUser): Promise<CreatedUser> {
  const { data } = await assertOk(api.post("/api/users", { ...user, password: PASSWORD }));
  return { ...User.parse(data), password: PASSWORD };
}

/** Assigns the host for so many days from now, and returns the end in Unix seconds. */
export async function assignHost(
  api: RestClient,
  host: Host,
  user: User,
  days: number,
): Promise<number> {
  const period = await assign({ root: api }, host.id, user.id, { from: 0, to: days * DAY_SECONDS });
  return period.assignedExpireTime;
}
