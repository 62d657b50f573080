import { CONFIG_TEST_STEPS, type ConfigTest, type ConfigTestStep, STEP_NOT_RUN } from "../../shared/configs.ts";
import type { IdInput } from "../../shared/ids.ts";
import { regionName } from "../../shared/regions.ts";
import type { Deps } from "../core/deps.ts";
import { AppError } from "../core/errors.ts";
import { createProviderClient, type ProviderClient } from "../provider/client.ts";
import { ProviderFailure } from "../provider/failure.ts";
import { measureCalls } from "../provider/measure.ts";
import { describeHosts, type Listed, listProjects, listRegions } from "../provider/ucloud.ts";
import { ConfigEntity } from "./entity.ts";
import { CONFIG_NOT_FOUND, type Credentials, openCredentials } from "./service.ts";

/** All steps together, in ms: the answer must come before the console gives up after 30 s. */
const TOTAL_TIMEOUT = 25_000;
/** One call with its retries, in ms, so that a provider that hangs is named at the step where it hangs. */
const CALL_LIMITS = { callTimeoutMs: 8_000, maxRetries: 1, retryBaseMs: 300, patienceMs: 6_000 } as const;

interface Probe {
  readonly client: ProviderClient;
  readonly credentials: Credentials;
  readonly signal: AbortSignal;
}

/** What a step found: its sentence, and `value` for the steps after it. */
interface Finding<Value> {
  readonly message: string;
  readonly value: Value;
}

interface Projects {
  /** How many the key can see; null when it may not list them. */
  readonly listed: number | null;
  /** Which to ask for hosts; null stands for the account's default one. */
  readonly ids: readonly (string | null)[];
}

interface StepResult<Value> {
  readonly step: ConfigTestStep;
  /** Undefined when the step failed or was not run. */
  readonly value: Value | undefined;
}

/** Tries a configuration step by step, read-only. Trouble with the provider is part of the answer, never an error. */
export async function testConnection(
  deps: Pick<Deps, "em" | "secrets" | "outbound" | "log" | "metrics">,
  { id }: IdInput,
): Promise<ConfigTest> {
  const config = await deps.em.findOne(ConfigEntity, { id });
  if (config === null) throw new AppError("NOT_FOUND", CONFIG_NOT_FOUND);
  const credentials = openCredentials(deps, config);
  const client = createProviderClient({
    ...credentials,
    guard: deps.outbound,
    log: deps.log,
    limits: CALL_LIMITS,
    onCall: measureCalls(deps.metrics),
  });
  return await probe({ client, credentials, signal: AbortSignal.timeout(TOTAL_TIMEOUT) });
}

async function probe(probe: Probe): Promise<ConfigTest> {
  const started = performance.now();
  const key = await runStep(CONFIG_TEST_STEPS.key, true, () => checkKey(probe));
  const latencyMs = Math.round(performance.now() - started);
  const projects = await runStep(CONFIG_TEST_STEPS.projects, key.step.ok, () => checkProjects(probe));
  const hosts = await runStep(CONFIG_TEST_STEPS.hosts, projects.step.ok, () =>
    countHosts(probe, projects.value?.ids ?? []),
  );
  const steps = [key.step, projects.step, hosts.step];
  return {
    connected: steps.every(({ ok }) => ok),
    steps,
    regions: key.value ?? null,
    projects: projects.value?.listed ?? null,
    hostCount: hosts.value ?? null,
    latencyMs,
  };
}

async function runStep<Value>(
  name: string,
  runs: boolean,
  check: () => Promise<Finding<Value>>,
): Promise<StepResult<Value>> {
  if (!runs) return { step: { name, ok: false, message: STEP_NOT_RUN }, value: undefined };
  try {
    const { message, value } = await check();
    return { step: { name, ok: true, message }, value };
  } catch (error) {
    return { step: { name, ok: false, message: sentenceOf(error) }, value: undefined };
  }
}

/** A sub-account may be refused the list of regions; that the provider knows who asked proves the key. */
async function checkKey({ client, signal }: Probe): Promise<Finding<number | null>> {
  const regions = await unlessForbidden(listRegions(client, signal));
  if (regions === null) return { message: "密钥有效；该密钥无权列出地域，将只使用默认地域", value: null };
  const { length } = regions.items;
  if (length === 0) throw new AppError("PROVIDER_ERROR", "云服务商没有列出任何地域，请检查密钥权限");
  return { message: `密钥有效，可见 ${length} 个地域${unreadable(regions)}`, value: length };
}

async function checkProjects({ client, credentials, signal }: Probe): Promise<Finding<Projects>> {
  const { projectIds } = credentials;
  const listed = await unlessForbidden(listProjects(client, signal));
  if (listed === null) {
    if (projectIds.length === 0) {
      throw new AppError("PROVIDER_ERROR", "该密钥无权列出项目，请在配置中填写可用的项目ID");
    }
    const message = `该密钥无权列出项目，将使用填写的 ${projectIds.length} 个项目`;
    return { message, value: { listed: null, ids: projectIds } };
  }
  const { items } = listed;
  const missing = projectIds.filter((projectId) => items.every(({ id }) => id !== projectId));
  if (missing.length > 0) {
    throw new AppError("PROVIDER_ERROR", `该密钥看不到项目 ${missing.join("、")}，请检查项目ID`);
  }
  const ids = projectIds.length > 0 ? projectIds : items.map(({ id }) => id);
  return {
    message: `可见 ${items.length} 个项目${unreadable(listed)}${listed.unlisted === 0 ? "" : `，另有 ${listed.unlisted} 个未列出`}`,
    value: { listed: items.length, ids: ids.length > 0 ? ids : [null] },
  };
}

async function countHosts(
  { client, credentials, signal }: Probe,
  projectIds: readonly (string | null)[],
): Promise<Finding<number>> {
  const region = credentials.defaultRegion;
  const pages = await Promise.all(
    projectIds.map((projectId) => describeHosts(client, { region, projectId, offset: 0, limit: 1 }, signal)),
  );
  const count = pages.reduce((sum, { total }) => sum + total, 0);
  return { message: `默认地域${regionName(region)}共有 ${count} 台云主机`, value: count };
}

function unreadable({ rejected }: Pick<Listed<unknown>, "rejected">): string {
  return rejected === 0 ? "" : `，另有 ${rejected} 条无法识别`;
}

async function unlessForbidden<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === "forbidden") return null;
    throw error;
  }
}

/** Sentences are our own in every case; anything but trouble with the provider is a bug and goes on. */
function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (error instanceof DOMException && error.name === "TimeoutError") return new ProviderFailure("timeout").message;
  throw error;
}
