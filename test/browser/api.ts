import { z } from "zod";
import { Host } from "../../src/shared/hosts.ts";
import { DAY_SECONDS } from "../../src/shared/time.ts";
import { User } from "../../src/shared/users.ts";
import { assign } from "../harness/data.ts";
import { assertOk, type RestClient } from "../harness/rest.ts";
import { PASSWORD, type ROOT_USER } from "../harness/root-user.ts";

export type Account = Readonly<typeof ROOT_USER>;
type NewUser = Pick<User, "username" | "name" | "role"> & Partial<Pick<User, "adminId" | "email">>;
/** The first hosts of the list, at least three. */
export const Hosts = z.tuple([Host, Host, Host], Host);
export type Hosts = z.infer<typeof Hosts>;
/** A user, with the password to sign in with. */
export type CreatedUser = User & Account;

export async function getHost(api: RestClient, { id }: Host): Promise<Host> {
  return Host.parse((await api.get(`/api/hosts/${id}`)).data);
}

/** A user with the super admin's password. */
export async function createUser(api: RestClient, user: NewUser): Promise<CreatedUser> {
  const { data } = await assertOk(api.post("/api/users", { ...user, password: PASSWORD }));
  return { ...User.parse(data), password: PASSWORD };
}

/** Assigns the host from now on, and returns the end. */
export async function assignHost(
  api: RestClient,
  host: Host,
  user: User,
  days: number,
): Promise<number> {
  const period = await assign({ root: api }, host.id, user.id, { from: 0, to: days * DAY_SECONDS });
  return period.assignedExpireTime;
}
