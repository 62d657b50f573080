import type { FieldError } from "../../../shared/errors.ts";
import type { ImportedRow } from "../../../shared/import-columns.ts";
import type { ImportChange, UserImportField } from "../../../shared/imports.ts";
import { dropInvisibleEnds, trimText } from "../../../shared/invisible-text.ts";
import { joinWords } from "../../../shared/join-words.ts";
import { ROLE_LABELS, ROLES, type Role } from "../../../shared/roles.ts";
import { CreateUserInput, UpdateUserInput } from "../../../shared/users.ts";
import { AppError } from "../../platform/errors.ts";
import { fieldErrorsOf } from "../../platform/failures.ts";
import type { ActOutcome, RowPlan, RowPlanner } from "../../platform/imports/run-import.ts";
import { assertUncommon, randomPassword } from "../../platform/passwords.ts";
import type { Caller } from "../../platform/trpc/caller.ts";
import { findAdminUsernames, findByUsernames, type NamedUser } from "../users/find-by-usernames.ts";
import { ADMIN_ONLY_OF_CLIENTS } from "../users/locks.ts";
import { usernameKey } from "../users/username-key.ts";
import { createUser } from "./create-user.ts";
import type { UserManagementDeps } from "./deps.ts";
import { updateUser } from "./update-user.ts";

export type UserRow = ImportedRow<UserImportField>;

/** Creates or changes a user. Returns the initial password that is told to nobody else. */
type UserAct = () => Promise<string | null>;

/** Stands for a user whom a dry run would have created. */
const ASSUMED_ID = "00000000-0000-7000-8000-000000000000";

/**
 * Compares rows with users, as they are stored and as earlier rows of the file have left them. Only
 * what differs is checked: what an export has of a user is valid, whatever rule it was stored by.
 */
export class UserPlanner implements RowPlanner<UserImportField, UserAct> {
  readonly #deps: UserManagementDeps;
  readonly #caller: Caller;
  readonly #lines = new Map<string, number>();
  readonly #users: Map<string, NamedUser>;
  readonly #adminUsernames: ReadonlyMap<string, readonly string[]>;

  private constructor(
    { deps, caller }: { readonly deps: UserManagementDeps; readonly caller: Caller },
    rows: readonly UserRow[],
    { users, adminUsernames }: StoredUsers,
  ) {
    this.#deps = deps;
    this.#caller = caller;
    this.#users = users;
    this.#adminUsernames = adminUsernames;
    for (const row of rows) {
      const key = keyOf(row);
      if (key !== "" && !this.#lines.has(key)) this.#lines.set(key, row.line);
    }
  }

  static async create(
    deps: UserManagementDeps,
    caller: Caller,
    rows: readonly UserRow[],
  ): Promise<UserPlanner> {
    const users = await findByUsernames(deps.em, rows.flatMap(usernamesOf));
    const admins = rows.map((row) => codeOf(row, "adminId")).filter((text) => text !== "");
    const adminUsernames = await findAdminUsernames(deps.em, admins);
    return new UserPlanner({ deps, caller }, rows, { users, adminUsernames });
  }

  async refresh(rows: readonly UserRow[]): Promise<void> {
    const usernames = rows.flatMap(usernamesOf);
    const users = await findByUsernames(this.#deps.em, usernames);
    for (const username of usernames) {
      const key = usernameKey(username);
      const user = users.get(key);
      if (user === undefined) this.#users.delete(key);
      else this.#users.set(key, user);
    }
  }

  /** Each in its own transaction: that of a new user begins once its password is hashed. */
  async carryOut(acts: readonly UserAct[]): Promise<ActOutcome[]> {
    const outcomes: ActOutcome[] = [];
    for (const act of acts) outcomes.push({ kind: "done", initialPassword: await act() });
    return outcomes;
  }

  plan(row: UserRow): RowPlan<UserAct> {
    const stored = this.#users.get(keyOf(row));
    const firstLine = this.#lines.get(keyOf(row));
    if (firstLine !== undefined && firstLine !== row.line) {
      const message = `用户名与第 ${firstLine} 行重复`;
      return refuse("skip", [{ field: "username", message }]);
    }
    return stored === undefined ? this.#planNew(row) : this.#planPresent(row, stored);
  }

  #planNew(row: UserRow): RowPlan<UserAct> {
    const role = roleOf(row);
    const admin = role === null ? NO_ADMIN : this.#adminOf(row, role);
    const given = cellOf(row, "password");
    const password = given === "" ? randomPassword() : given;
    const parsed = CreateUserInput.safeParse({
      username: codeOf(row, "username"),
      password,
      name: cellOf(row, "name"),
      role: role ?? codeOf(row, "role"),
      email: codeOf(row, "email"),
      phone: codeOf(row, "phone"),
      adminId: admin.id,
    });

    const errors = [
      ...(parsed.success ? [] : fieldErrorsOf(parsed.error)),
      ...admin.errors,
      ...commonPassword(given),
    ];
    if (!parsed.success || errors.length > 0) return refuse("create", errors);

    const input = { ...parsed.data, mustChangePassword: given === "" };
    return {
      kind: "act",
      action: "create",
      act: async () => {
        const user = await createUser(this.#deps, this.#caller, input);
        this.#keep({ ...user, adminUsername: user.admin?.username ?? null });
        return given === "" ? password : null;
      },
      assume: () => this.#keep(assumedUser(parsed.data)),
    };
  }

  #planPresent(row: UserRow, stored: NamedUser): RowPlan<UserAct> {
    const admin = this.#changedAdminOf(row, stored);
    const changes = {
      name: changedValue(cellOf(row, "name"), stored.name),
      email: changedValue(codeOf(row, "email"), stored.email),
      phone: changedValue(codeOf(row, "phone"), stored.phone),
      adminId: admin.id ?? undefined,
    };
    const isSame = Object.values(changes).every((value) => value === undefined);
    const parsed = UpdateUserInput.safeParse({ id: stored.id, ...changes });

    const errors = [
      ...otherRole(row, stored),
      ...(parsed.success ? [] : fieldErrorsOf(parsed.error)),
      ...admin.errors,
    ];
    if (!parsed.success || errors.length > 0) return refuse("update", errors);
    if (isSame) return { kind: "skip" };

    return {
      kind: "act",
      action: "update",
      changes: changesOf(stored, { ...parsed.data, adminUsername: admin.username }),
      act: async () => {
        await updateUser(this.#deps, this.#caller, parsed.data);
        return null;
      },
      // Nothing that changes here decides about another row.
      assume: () => {},
    };
  }

  #keep(user: NamedUser): void {
    this.#users.set(usernameKey(user.username), user);
  }

  #changedAdminOf(row: UserRow, stored: NamedUser): AdminOfRow {
    const named = this.#users.get(usernameKey(codeOf(row, "adminId")));
    if (named !== undefined && named.id === stored.adminId) return NO_ADMIN;
    return this.#adminOf(row, stored.role);
  }

  /** The same rule as that of `lockResponsibleAdmin`, which has the last word. */
  #adminOf(row: UserRow, role: Role): AdminOfRow {
    const text = codeOf(row, "adminId");
    if (text === "") return NO_ADMIN;
    if (role !== "client") return wrongAdmin(ADMIN_ONLY_OF_CLIENTS);

    const admin = this.#users.get(usernameKey(text));
    if (admin?.role === "admin" && admin.isActive) {
      return { id: admin.id, username: admin.username, errors: [] };
    }
    return wrongAdmin(noSuchAdmin(text, this.#adminUsernames.get(text) ?? []));
  }
}

/** What is stored of the rows of a file. */
interface StoredUsers {
  readonly users: Map<string, NamedUser>;
  /** Of active admins, by the name that somebody may have written instead. */
  readonly adminUsernames: ReadonlyMap<string, readonly string[]>;
}

interface AdminOfRow {
  readonly id: string | null;
  readonly username?: string;
  readonly errors: readonly FieldError[];
}

const NO_ADMIN: AdminOfRow = { id: null, errors: [] };

function wrongAdmin(message: string): AdminOfRow {
  return { id: null, errors: [{ field: "adminId", message }] };
}

/** Names the one whom the text may mean. Of several with that name nobody knows which. */
function noSuchAdmin(text: string, usernames: readonly string[]): string {
  const [username, ...others] = usernames;
  if (username === undefined) return "负责管理员不存在或已停用，请填写管理员的用户名";
  if (others.length > 0) return `有 ${usernames.length} 位管理员叫“${text}”，请填写管理员的用户名`;
  return `请填写管理员的用户名：“${text}”的用户名是 ${username}`;
}

type ChangedUser = Pick<UpdateUserInput, "name" | "email" | "phone"> & {
  readonly adminUsername: string | undefined;
};

/** As a file would say it. */
function changesOf(stored: NamedUser, changed: ChangedUser): ImportChange[] {
  const values: [UserImportField, string | null, string | null | undefined][] = [
    ["name", stored.name, changed.name],
    ["email", stored.email, changed.email],
    ["phone", stored.phone, changed.phone],
    ["adminId", stored.adminUsername, changed.adminUsername],
  ];
  return values.flatMap(([field, from, to]) =>
    to === undefined ? [] : [{ field, from: from ?? "", to: to ?? "" }],
  );
}

function refuse(
  action: "create" | "update" | "skip",
  errors: readonly FieldError[],
): RowPlan<never> {
  return { kind: "refuse", action, errors };
}

/** Of the user of a row, and of its admin. */
function usernamesOf(row: UserRow): string[] {
  return [codeOf(row, "username"), codeOf(row, "adminId")].filter((name) => name !== "");
}

function keyOf(row: UserRow): string {
  return usernameKey(codeOf(row, "username"));
}

/** As it was typed; empty when there is nothing to be seen. */
function cellOf({ cells }: UserRow, field: UserImportField): string {
  const cell = cells.get(field) ?? "";
  return trimText(cell) === "" ? "" : cell;
}

/** Of what nobody writes with blanks around it. */
function codeOf({ cells }: UserRow, field: UserImportField): string {
  return trimText(cells.get(field) ?? "");
}

/** By its name in Chinese or its code; null for any other text. */
export function roleOf(row: UserRow): Role | null {
  const text = codeOf(row, "role").toLowerCase();
  const isMeant = (role: Role) => [role, ROLE_LABELS[role].toLowerCase()].includes(text);
  return ROLES.find(isMeant) ?? null;
}

function otherRole(row: UserRow, { role }: NamedUser): FieldError[] {
  if (codeOf(row, "role") === "" || roleOf(row) === role) return [];
  const message = joinWords("已有用户的角色不能修改，现在是", ROLE_LABELS[role]);
  return [{ field: "role", message }];
}

/** Undefined when the cell is empty or says what is stored, or would be by the rules of texts. */
function changedValue(cell: string, stored: string | null): string | undefined {
  const isSame = cell === "" || cell === stored || dropInvisibleEnds(cell) === stored;
  return isSame ? undefined : cell;
}

function assumedUser({ username, name, role }: CreateUserInput): NamedUser {
  return {
    id: ASSUMED_ID,
    username,
    name,
    role,
    email: null,
    phone: null,
    isActive: true,
    adminId: null,
    adminUsername: null,
  };
}

function commonPassword(password: string): readonly FieldError[] {
  try {
    assertUncommon("password", password);
    return [];
  } catch (error) {
    if (error instanceof AppError) return error.fields ?? [];
    throw error;
  }
}
