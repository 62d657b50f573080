import { z } from "zod";
import { Id } from "./ids.ts";
import { SyncRun } from "./sync.ts";
import { limitedText, requiredText, text } from "./text.ts";
import { UnixSeconds } from "./time.ts";

export const DEFAULT_API_URL = "https://api.ucloud.cn";

export const CONFIG_LIMITS = { name: 100, key: 255, apiUrl: 255, region: 50, remark: 500, projects: 100 } as const;

/** Provider configuration as it leaves the server: `publicKey` is masked to its first and last four characters, the private key never leaves. */
export const Config = z.object({
  id: Id,
  name: z.string(),
  publicKey: z.string(),
  apiUrl: z.string(),
  defaultRegion: z.string(),
  projectIds: z.array(z.string()),
  isDefault: z.boolean(),
  isActive: z.boolean(),
  remark: z.string().nullable(),
  createdAt: UnixSeconds,
  lastSync: SyncRun.nullable(),
});
export type Config = z.infer<typeof Config>;

const ApiUrl = requiredText("API地址", CONFIG_LIMITS.apiUrl).regex(
  /^https?:\/\//i,
  "API地址必须以http://或https://开头",
);
const Region = requiredText("默认地域", CONFIG_LIMITS.region);
const Remark = limitedText("备注", CONFIG_LIMITS.remark).nullish();
const ProjectIds = z
  .array(text("项目ID不能为空").trim().min(1, "项目ID不能为空").max(100, "项目ID最多100个字符"), "项目ID必须是列表")
  .max(CONFIG_LIMITS.projects, `项目ID最多${CONFIG_LIMITS.projects}个`)
  .overwrite((ids) => [...new Set(ids)]);

function requiredKey(label: string) {
  const missing = `${label}不能为空`;
  return text(missing).trim().min(1, missing).max(CONFIG_LIMITS.key, `${label}最多${CONFIG_LIMITS.key}个字符`);
}

/** Absent or blank keeps the stored key. */
function keptKey(label: string) {
  return text().trim().max(CONFIG_LIMITS.key, `${label}最多${CONFIG_LIMITS.key}个字符`).nullish();
}

export const CreateConfigInput = z.strictObject({
  name: requiredText("配置名称", CONFIG_LIMITS.name),
  publicKey: requiredKey("公钥"),
  privateKey: requiredKey("私钥"),
  apiUrl: ApiUrl,
  defaultRegion: Region,
  projectIds: ProjectIds.optional(),
  isDefault: z.boolean("请选择是或否").optional(),
  isActive: z.boolean("请选择是或否").optional(),
  remark: Remark,
});
export type CreateConfigInput = z.infer<typeof CreateConfigInput>;

/** Fields that are absent stay as they are. */
export const UpdateConfigInput = z.strictObject({
  id: Id,
  name: requiredText("配置名称", CONFIG_LIMITS.name).optional(),
  publicKey: keptKey("公钥"),
  privateKey: keptKey("私钥"),
  apiUrl: ApiUrl.optional(),
  defaultRegion: Region.optional(),
  projectIds: ProjectIds.optional(),
  isDefault: z.boolean("请选择是或否").optional(),
  isActive: z.boolean("请选择是或否").optional(),
  remark: Remark,
});
export type UpdateConfigInput = z.infer<typeof UpdateConfigInput>;

/** In their order; the message of one that was not tried, for the step before it had failed. */
export const CONFIG_TEST_STEPS = { key: "密钥有效", projects: "项目可见", hosts: "云主机读权限" } as const;
export const STEP_NOT_RUN = "未执行";

export const ConfigTestStep = z.object({ name: z.string(), ok: z.boolean(), message: z.string() });
export type ConfigTestStep = z.infer<typeof ConfigTestStep>;

/** `regions`, `projects`, `hostCount` are what the key could see, null when the test did not get that far. */
export const ConfigTest = z.object({
  connected: z.boolean(),
  steps: z.array(ConfigTestStep),
  regions: z.int().nullable(),
  projects: z.int().nullable(),
  hostCount: z.int().nullable(),
  latencyMs: z.int(),
});
export type ConfigTest = z.infer<typeof ConfigTest>;
