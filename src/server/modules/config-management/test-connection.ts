import {
  CONFIG_TEST_STEPS,
  type ConfigTest,
  type ConfigTestStep,
  STEP_NOT_RUN,
} from "../../../shared/configs.ts";
import type { IdInput } from "../../../shared/ids.ts";
import { regionName } from "../../../shared/regions.ts";
import { AppError } from "../../platform/errors.ts";
import type { ProviderClient } from "../../provider/client.ts";
import { nullIfForbidden, ProviderFailure } from "../../provider/failure.ts";
import { type Listed, listHosts, listProjects, listRegions } from "../../provider/uhost-api.ts";
import { noteSubject } from "../audit-records/note-subject.ts";
import { connectProvider } from "../provider-configs/connect-provider.ts";
import type { ConfigRow } from "../provider-configs/entity.ts";
import { findConfig } from "../provider-configs/queries.ts";
import type { ConfigsDeps } from "./deps.ts";
import { resumeSchedule } from "./resume-schedule.ts";

/** All steps together: the answer must come before the console gives up after 30 s. */
const TOTAL_TIMEOUT_MS = 25_000;
/** For more the test would not end in time when the provider takes a second to answer. */
const MAX_TRIED_PROJECTS = 20;
/** Short enough that the step in which the provider hangs is the one that fails. */
const CALL_LIMITS = {
  attemptTimeoutMs: 5_000,
  maxRetries: 1,
  retryBaseMs: 300,
  maxPauseMs: 6_000,
} as const;

interface Connection extends Pick<ConfigRow, "projectIds" | "defaultRegion"> {
  readonly client: ProviderClient;
  readonly signal: AbortSignal;
}

interface Finding<Value> {
  readonly message: string;
  readonly value: Value;
}

/**
 * Tries a configuration step by step, read-only. A provider failure is part of the answer, never an
 * error.
 */
export async function testConnection(deps: ConfigsDeps, { id }: IdInput): Promise<ConfigTest> {
  const config = await findConfig(deps.em, id);
  const subject = { type: "config", id, label: config.name } as const;
  noteSubject(deps, subject);

  const connection = {
    projectIds: config.projectIds,
    defaultRegion: config.defaultRegion,
    client: connectProvider(deps, config, { priority: "person", limits: CALL_LIMITS }),
    signal: AbortSignal.timeout(TOTAL_TIMEOUT_MS),
  };
  const test = new StepByStep();

  const startedAt = performance.now();
  const regions = await test.run(CONFIG_TEST_STEPS.key, () => checkKey(connection));
  const latencyMs = Math.round(performance.now() - startedAt);
  const projects = await test.run(CONFIG_TEST_STEPS.projects, () => checkProjects(connection));
  const projectIds = projects?.ids ?? [];
  const hostCount = await test.run(CONFIG_TEST_STEPS.hosts, () =>
    countHosts(connection, projectIds),
  );

  if (test.isPassed) await resumeSchedule(deps, subject);
  return {
    connected: test.isPassed,
    steps: test.steps,
    regions,
    projects: projects?.listed ?? null,
    hostCount,
    latencyMs,
  };
}

/** Runs checks one after the other; after one that failed the others are not run. */
class StepByStep {
  readonly steps: ConfigTestStep[] = [];

  get isPassed(): boolean {
    return this.steps.every(({ ok }) => ok);
  }

  /** What the check found; null when it failed or was not run. */
  async run<Value>(name: string, check: () => Promise<Finding<Value>>): Promise<Value | null> {
    if (!this.isPassed) {
      this.steps.push({ name, ok: false, message: STEP_NOT_RUN });
      return null;
    }
    try {
      const { message, value } = await check();
      this.steps.push({ name, ok: true, message });
      return value;
    } catch (error) {
      this.steps.push({ name, ok: false, message: messageOf(error) });
      return null;
    }
  }
}

/** A sub-account may be refused the list of regions, which still proves its key. Null then. */
async function checkKey({ client, signal }: Connection): Promise<Finding<number | null>> {
  const regions = await listRegions(client, signal).catch(nullIfForbidden);
  if (regions === null) {
    return { message: "密钥有效；该密钥无权列出地域，将只使用默认地域", value: null };
  }

  const { length } = regions.items;
  if (length === 0) {
    throw new AppError("PROVIDER_ERROR", "云服务商没有列出任何地域，请检查密钥权限");
  }
  return { message: `密钥有效，可见 ${length} 个地域${unreadable(regions)}`, value: length };
}

interface Projects {
  /** How many the key can see; null when it may not list them. */
  readonly listed: number | null;
  /** Those that a sync reads; `""` is the account's default project. */
  readonly ids: readonly string[];
}

async function checkProjects({
  client,
  projectIds,
  signal,
}: Connection): Promise<Finding<Projects>> {
  const listed = await listProjects(client, signal).catch(nullIfForbidden);
  if (listed === null) return withoutList(projectIds);

  const visible = listed.items;
  const missing = projectIds.filter((id) => !visible.includes(id));
  if (missing.length > 0) {
    throw new AppError("PROVIDER_ERROR", `该密钥看不到项目 ${missing.join("、")}，请检查项目 ID`);
  }
  const ids = projectIds.length > 0 ? projectIds : visible;
  return {
    message: `可见 ${visible.length} 个项目${unreadable(listed)}`,
    value: { listed: visible.length, ids: ids.length > 0 ? ids : [""] },
  };
}

/** The key may not list projects, so they have to be named. */
function withoutList(projectIds: readonly string[]): Finding<Projects> {
  if (projectIds.length === 0) {
    throw new AppError("PROVIDER_ERROR", "该密钥无权列出项目，请在配置中填写可用的项目 ID");
  }
  const message = `该密钥无权列出项目，将使用填写的 ${projectIds.length} 个项目`;
  return { message, value: { listed: null, ids: projectIds } };
}

/**
 * Reads hosts of some projects, which proves that the key may. Null when there are more projects:
 * then their hosts are not counted.
 */
async function countHosts(
  { client, defaultRegion: region, signal }: Connection,
  projectIds: readonly string[],
): Promise<Finding<number | null>> {
  const tried = projectIds.slice(0, MAX_TRIED_PROJECTS);
  const pages = await Promise.all(
    tried.map((projectId) => listHosts(client, { region, projectId, offset: 0, limit: 1 }, signal)),
  );

  const where = `默认地域${regionName(region)}`;
  if (tried.length < projectIds.length) {
    const message = `${where}的云主机可以读取（项目较多，只试了 ${projectIds.length} 个中的 ${tried.length} 个）`;
    return { message, value: null };
  }

  const count = pages.reduce((sum, { total }) => sum + total, 0);
  return { message: `${where}共有 ${count} 台云主机`, value: count };
}

function unreadable({ rejected }: Pick<Listed, "rejected">): string {
  return rejected === 0 ? "" : `，另有 ${rejected} 条无法识别`;
}

/** Rethrows what is no failure of the connection. */
function messageOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new ProviderFailure("timeout").message;
  }
  throw error;
}
