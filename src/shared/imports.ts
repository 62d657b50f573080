import { z } from "zod";
import { FieldError } from "./errors.ts";
import { USER_COLUMN_HEADERS } from "./user-columns.ts";

/*
 * Imports of files: what a file may hold, and what is answered. `read-csv.ts` reads it, and
 * `import-columns.ts` finds its columns.
 */

export const IMPORT_ACTION_LABELS = { create: "新增", update: "修改", skip: "不变" } as const;
export const ImportAction = z.enum(["create", "update", "skip"]).meta({
  id: "ImportAction",
  description: "对该行做什么：create 新增、update 修改、skip 不变；有误的行是本来要做的",
});
export type ImportAction = z.infer<typeof ImportAction>;

export const ImportChange = z
  .strictObject({
    field: z
      .string()
      .meta({ description: "接口的字段名，与 `errors` 中的相同", examples: ["name"] }),
    from: z.string().meta({ description: "原来的值，没有时为空", examples: ["张三"] }),
    to: z.string().meta({ description: "新的值", examples: ["张小三"] }),
  })
  .meta({ id: "ImportChange", description: "一个会被修改的字段；值的写法与文件中的相同" });
export type ImportChange = z.infer<typeof ImportChange>;

export const ImportRow = z
  .object({
    line: z.int().meta({
      description: "在表格中的行号：标题行为 1，空行也计算在内",
      examples: [2],
    }),
    action: ImportAction,
    ok: z.boolean().describe("是否成功；预检时为是否可以导入"),
    errors: z
      .array(FieldError)
      .describe("有误的原因；`ok` 为 true 时是不变的原因。`field` 是接口的字段名，整行有误时为空"),
    changes: z
      .array(ImportChange)
      .exactOptional()
      .describe("修改了什么，预检时为将修改什么；只在 `action` 为 update 且 `ok` 为 true 时有"),
    initialPassword: z
      .string()
      .exactOptional()
      .meta({
        description:
          "文件中没有初始密码的新用户的随机初始密码，只显示这一次，首次登录必须修改；预检时没有",
        examples: ["mK7vQ2xTpR9wLd4s"],
      }),
  })
  .meta({ id: "ImportRow", description: "文件中一行的结果" });
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportSummary = z
  .object({
    create: z.int().describe("新增的行数；预检时为将新增的"),
    update: z.int().describe("修改的行数；预检时为将修改的"),
    skip: z.int().describe("不变的行数"),
    failed: z.int().describe("有误的行数"),
  })
  .meta({ id: "ImportSummary", description: "各种结果的行数" });
export type ImportSummary = z.infer<typeof ImportSummary>;

export const ImportResult = z
  .object({
    rows: z.array(ImportRow).describe("每一行的结果，顺序与文件相同，不含空行"),
    summary: ImportSummary,
  })
  .meta({ id: "ImportResult", description: "导入的结果，或预检的结果" });
export type ImportResult = z.infer<typeof ImportResult>;

/** The file itself is the body of the request. Its type may name its charset. */
export const ImportInput = z
  .strictObject({
    dryRun: z
      .boolean()
      .default(true)
      .describe("true（默认）只预检，不写入；false 写入没有问题的行，并说明有问题的行"),
    file: z.instanceof(Blob),
  })
  .meta({ id: "ImportInput" });
export type ImportInput = z.infer<typeof ImportInput>;

export interface ImportColumn<Field extends string = string> {
  /** As the API calls it, and as errors name it. */
  readonly field: Field;
  readonly header: string;
  /** The file must have this column. */
  readonly isRequired: boolean;
  /** For people who fill in the template, which holds the header alone. */
  readonly hint: string;
  readonly example: string;
}

/** What a kind of file may hold. */
export interface ImportColumns<Field extends string = string> {
  readonly columns: readonly ImportColumn<Field>[];
  /** Headers of columns that are known and not read. */
  readonly ignored: readonly string[];
}

/** In a file of the rows that were refused: why. */
export const IMPORT_ERROR_HEADER = "错误";

export type UserImportField =
  | "username"
  | "name"
  | "role"
  | "email"
  | "phone"
  | "adminId"
  | "password";

/** What an export of users has, too, and what follows from other acts. */
const { isActive, secondFactorEnabled, hostCount, nextEnd, createdAt, note } = USER_COLUMN_HEADERS;

export const USER_IMPORT: ImportColumns<UserImportField> = {
  columns: [
    {
      field: "username",
      header: USER_COLUMN_HEADERS.username,
      isRequired: true,
      hint: "3-50 个字母、数字或下划线；已有的用户按用户名找到，不区分大小写",
      example: "zhang_san",
    },
    {
      field: "name",
      header: USER_COLUMN_HEADERS.name,
      isRequired: false,
      hint: "新用户必填",
      example: "张三",
    },
    {
      field: "role",
      header: USER_COLUMN_HEADERS.role,
      isRequired: false,
      hint: "新用户必填：管理员或C端用户；已有用户的角色不能修改",
      example: "C端用户",
    },
    {
      field: "email",
      header: USER_COLUMN_HEADERS.email,
      isRequired: false,
      hint: "选填",
      example: "zhangsan@example.com",
    },
    {
      field: "phone",
      header: USER_COLUMN_HEADERS.phone,
      isRequired: false,
      hint: "选填，11 位大陆手机号",
      example: "13800000000",
    },
    {
      field: "adminId",
      header: USER_COLUMN_HEADERS.admin,
      isRequired: false,
      hint: "选填，负责管理员的用户名，只用于C端用户",
      example: "li_si",
    },
    {
      field: "password",
      header: "初始密码",
      isRequired: false,
      hint: "选填，只用于新用户；不填则随机生成，首次登录必须修改",
      example: "Better2Battery",
    },
  ],
  ignored: [
    isActive,
    secondFactorEnabled,
    hostCount,
    nextEnd,
    createdAt,
    note,
    IMPORT_ERROR_HEADER,
  ],
};

export type AssignmentImportField = "hostId" | "userId" | "assignedExpireTime" | "days" | "remark";

export const ASSIGNMENT_IMPORT: ImportColumns<AssignmentImportField> = {
  columns: [
    {
      field: "hostId",
      header: "主机",
      isRequired: true,
      hint: "云服务商的主机 ID，或只有一台主机使用的名称",
      example: "uhost-abc123",
    },
    {
      field: "userId",
      header: USER_COLUMN_HEADERS.username,
      isRequired: true,
      hint: "启用中的C端用户的用户名",
      example: "zhang_san",
    },
    {
      field: "assignedExpireTime",
      header: "到期",
      isRequired: false,
      hint: "例如 2026-12-31（当天结束时到期）或 2026-12-31 18:00；与天数二选一",
      example: "2026-12-31",
    },
    {
      field: "days",
      header: "天数",
      isRequired: false,
      hint: "1-365，从现在起计算，只用于新的分配；与到期二选一",
      example: "30",
    },
    {
      field: "remark",
      header: "备注",
      isRequired: false,
      hint: "选填，最多 500 个字符",
      example: "合同 2026-17",
    },
  ],
  ignored: [IMPORT_ERROR_HEADER],
};
