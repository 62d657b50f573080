import {
  CONFIG_TEST_STEPS,
  type Config,
  type ConfigTest,
  type ConfigTestStep,
  STEP_NOT_RUN,
} from "@shared/configs.ts";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { trpc } from "@/api/trpc";
import { useStartSync } from "@/components/sync/use-sync";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";

/** A test of a key that was just saved. What it found stands in the dialog, so it makes no toast. */
export function useAccessTest({ id }: Config) {
  const test = trpc.configs.test.useMutation();
  const { start } = useStartSync();

  /** Of an account that is `isActive`; it is synced at once when the key works. */
  function run({ isActive }: Config): void {
    test.mutate({ id }, { onSuccess: ({ connected }) => connected && isActive && start(id) });
  }

  return { run, result: test.data, isFailed: test.isError };
}

export type AccessTest = ReturnType<typeof useAccessTest>;

/** A test of the stored key, with its result until the configuration is saved again. */
export function useConnectionTest(config: Config) {
  const test = trpc.configs.test.useMutation({ meta: { errorTitle: "测试失败" } });
  const toastId = `test-${config.id}`;

  function run(): void {
    test.mutate(
      { id: config.id },
      // Not called any more after `forget`.
      { onSuccess: (result) => notifyResult(toastId, config, result) },
    );
  }

  /** Drops the result, also of a test that is still running. */
  function forget(): void {
    test.reset();
    notify.dismiss(toastId);
  }

  return { isRunning: test.isPending, result: test.data, run, forget };
}

function notifyResult(
  id: string,
  { name }: Config,
  { connected, steps, latencyMs }: ConfigTest,
): void {
  if (connected) {
    notify.success("连接成功", { id, message: `“${name}”可以读取云主机，响应 ${latencyMs} 毫秒` });
  } else {
    const failed = steps.find(({ ok }) => !ok);
    notify.error("连接失败", { id, message: `${name}：${failed?.message ?? "请检查配置"}` });
  }
}

const STEP_MS = 250;

/**
 * The steps of a test. Their results arrive together and fade in one after the other. An undefined
 * result is still to come.
 */
export function ConnectionTestSteps({ result }: { result: ConfigTest | undefined }) {
  return (
    <div
      className="grid gap-2 rounded-md border bg-muted/50 px-3.5 py-3"
      aria-live="polite"
      aria-busy={result === undefined}
    >
      <ol className="grid gap-1.5">
        {Object.values(CONFIG_TEST_STEPS).map((name, index) => (
          <Step
            key={name}
            name={name}
            state={stateOf(result, index)}
            text={textOf(result?.steps[index])}
            delayMs={index * STEP_MS}
          />
        ))}
      </ol>
      {result?.connected ? (
        <p className="border-t pt-2 text-xs text-muted-foreground tabular-nums">
          测试通过，响应 {formatNumber(result.latencyMs)} 毫秒
        </p>
      ) : null}
    </div>
  );
}

/** `skipped` is a step after one that failed. */
type StepState = "running" | "waiting" | "passed" | "failed" | "skipped";

function stateOf(result: ConfigTest | undefined, index: number): StepState {
  if (result === undefined) return index === 0 ? "running" : "waiting";

  const step = result.steps[index];
  if (step === undefined) return "waiting";
  if (step.ok) return "passed";
  return wasSkipped(step) ? "skipped" : "failed";
}

function textOf(step: ConfigTestStep | undefined): string | null {
  if (step === undefined) return null;
  return wasSkipped(step) ? "前一步未通过，没有执行" : step.message;
}

function wasSkipped({ ok, message }: ConfigTestStep): boolean {
  return !ok && message === STEP_NOT_RUN;
}

type StepProps = { name: string; state: StepState; text: string | null; delayMs: number };

function Step({ name, state, text, delayMs }: StepProps) {
  const wasRun = state === "passed" || state === "failed";
  return (
    <li
      // A new key draws the row anew, which starts its animation when the result arrives.
      key={text === null ? "waiting" : "done"}
      className={cn(
        "flex items-start gap-2 text-sm",
        text !== null && "animate-fade-in [animation-fill-mode:backwards]",
      )}
      style={{ animationDelay: `${delayMs}ms` }}
    >
      <span className="mt-0.5 grid size-4 shrink-0 place-items-center">
        <StepIcon state={state} />
      </span>
      <span className="min-w-0">
        <span className={cn("font-medium", !wasRun && "text-muted-foreground")}>{name}</span>
        {text === null ? null : (
          <span
            className={cn(
              "block [overflow-wrap:anywhere]",
              state === "failed" ? "text-danger-ink" : "text-muted-foreground",
            )}
          >
            {text}
          </span>
        )}
      </span>
    </li>
  );
}

function StepIcon({ state }: { state: StepState }) {
  switch (state) {
    case "running":
      return <Spinner size="sm" />;
    case "passed":
      return <CircleCheck aria-label="通过" className="size-4 text-success-ink" />;
    case "failed":
      return <CircleX aria-label="未通过" className="size-4 text-danger-ink" />;
    default:
      return <CircleDashed className="size-4 text-subtle-foreground" />;
  }
}
