import { isSuperAdmin, ROLE_LABELS, type Role } from "../../../shared/roles.ts";
import { USER_COLUMN_HEADERS } from "../../../shared/user-columns.ts";
import type { ListedUser } from "../../../shared/users.ts";
import { timeCell } from "../../platform/csv/cells.ts";
import type { CsvColumn } from "../../platform/csv/csv-file.ts";

type Column = CsvColumn<ListedUser>;

/** Those that an import reads come first. */
export function exportColumns(role: Role): readonly Column[] {
  return isSuperAdmin(role) ? [...FOR_ALL, ...FOR_SUPER_ADMINS] : FOR_ALL;
}

const HEADERS = USER_COLUMN_HEADERS;

const FOR_ALL: readonly Column[] = [
  { header: HEADERS.username, value: ({ username }) => username },
  { header: HEADERS.name, value: ({ name }) => name },
  { header: HEADERS.role, value: ({ role }) => ROLE_LABELS[role] },
  { header: HEADERS.email, value: ({ email }) => email },
  { header: HEADERS.phone, value: ({ phone }) => phone },
  { header: HEADERS.admin, value: ({ admin }) => admin?.username ?? null },
  { header: HEADERS.isActive, value: ({ isActive }) => (isActive ? "启用" : "停用") },
  { header: HEADERS.hostCount, value: ({ hostCount }) => hostCount },
  { header: HEADERS.nextEnd, value: ({ nextEnd }) => timeCell(nextEnd) },
  { header: HEADERS.createdAt, value: ({ createdAt }) => timeCell(createdAt) },
];

const FOR_SUPER_ADMINS: readonly Column[] = [
  {
    header: HEADERS.secondFactorEnabled,
    value: ({ secondFactorEnabled }) => (secondFactorEnabled ? "已开启" : "未开启"),
  },
  { header: HEADERS.note, value: ({ note }) => note },
];
