import {
  ASSIGNMENT_IMPORT,
  type ImportColumns,
  type ImportResult,
  USER_IMPORT,
} from "@shared/imports.ts";
import { assignmentUpdatesText, userUpdatesText } from "./update-texts";

/** What differs between the two imports. */
export interface ImportKind {
  readonly title: string;
  readonly description: string;
  /** Of what is imported, as the API calls it. */
  readonly name: "users" | "assignments";
  readonly columns: ImportColumns["columns"];
  /** What is to be known of the columns beside which are required. */
  readonly notes: readonly string[];
  /** Asked before present ones are overwritten. */
  readonly updateTitle: string;
  /** How many of what are overwritten; null when none are. */
  readonly updatesText: (checked: ImportResult) => string | null;
  /** Said while it runs. */
  readonly waitNote: string;
  /** Said when its answer is lost: what may have been done, and what to do. */
  readonly lossNote: string;
  /** The list that the rows belong to. */
  readonly list: { readonly href: string; readonly label: string };
}

const IMPORT_AGAIN = "请再次预检，已导入的行会显示为“不变”；再次导入同一个文件，只会补上其余的行。";

export const USERS: ImportKind = {
  title: "导入用户",
  description: "从表格新增用户，或修改已有用户的资料。先预检，确认后才写入。",
  name: "users",
  columns: USER_IMPORT.columns,
  notes: [
    "用户名已存在的行修改该用户，空单元格保留原值。",
    "随机生成的初始密码只在导入后显示一次。",
    "列的顺序不限；导出的用户列表改好后可以直接导入。",
  ],
  updateTitle: "修改已有的用户？",
  updatesText: userUpdatesText,
  waitNote: "新用户的密码要逐个加密，很多时需要几分钟。请不要关闭此页面。",
  lossNote: `一部分新用户可能已经创建，一部分资料可能已经修改。${IMPORT_AGAIN}已创建的新用户的初始密码不能再显示，请在用户管理中用“重置密码”给他们新密码。`,
  list: { href: "/users", label: "用户管理" },
};

export const ASSIGNMENTS: ImportKind = {
  title: "导入分配",
  description: "从表格把主机分配给用户，或修改已有分配的到期日。先预检，确认后才写入。",
  name: "assignments",
  columns: ASSIGNMENT_IMPORT.columns,
  notes: ["已有的分配只能用到期日修改，填天数的行不变。", "列的顺序不限；不需要的选填列可以删去。"],
  updateTitle: "修改已有的分配？",
  updatesText: assignmentUpdatesText,
  waitNote: "很多时需要几分钟。请不要关闭此页面。",
  lossNote: `一部分主机可能已经分配。${IMPORT_AGAIN}`,
  list: { href: "/hosts", label: "主机管理" },
};
