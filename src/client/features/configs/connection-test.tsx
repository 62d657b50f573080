import {
  CONFIG_TEST_STEPS,
  type Config,
  type ConfigTest,
  type ConfigTestStep,
  STEP_NOT_RUN,
} from "@shared/configs.ts";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { trpc } from "@/api/trpc";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";
import { notify } from "@/lib/notify";

/**
 * `forget` drops the result, also of a test that is still running: the configuration has been
 * saved.
 */
export function useConnectionTest(config: Config) {
  const test = trpc.configs.test.useMutation({ meta: { errorTitle: "测试失败" } });
  const toastId = `test-${config.id}`;

  return {
    isRunning: test.isPending,
    result: test.data,
    run: () =>
      // Not called any more after a reset.
      test.mutate(
        { id: config.id },
        { onSuccess: (result) => notifyResult(toastId, config, result) },
      ),
    forget(): void {
      test.reset();
      notify.dismiss(toastId);
    },
  };
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
            step={result?.steps[index]}
            isRunning={result === undefined && index === 0}
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

type StepProps = {
  name: string;
  step: ConfigTestStep | undefined;
  isRunning: boolean;
  delayMs: number;
};

function Step({ name, step, isRunning, delayMs }: StepProps) {
  const wasSkipped = step?.ok === false && step.message === STEP_NOT_RUN;
  return (
    <li
      // A new key draws the row anew, which starts its animation when the result arrives.
      key={step === undefined ? "waiting" : "done"}
      className={cn(
        "flex items-start gap-2 text-sm",
        step && "animate-fade-in [animation-fill-mode:backwards]",
      )}
      style={{ animationDelay: `${delayMs}ms` }}
    >
      <span className="mt-0.5 grid size-4 shrink-0 place-items-center">
        <StepIcon step={wasSkipped ? undefined : step} isRunning={isRunning} />
      </span>
      <span className="min-w-0">
        <span
          className={cn(
            "font-medium",
            (step === undefined || wasSkipped) && "text-muted-foreground",
          )}
        >
          {name}
        </span>
        {step === undefined ? null : (
          <span
            className={cn(
              "block [overflow-wrap:anywhere]",
              step.ok || wasSkipped ? "text-muted-foreground" : "text-danger-ink",
            )}
          >
            {wasSkipped ? "前一步未通过，没有执行" : step.message}
          </span>
        )}
      </span>
    </li>
  );
}

function StepIcon({ step, isRunning }: Pick<StepProps, "step" | "isRunning">) {
  if (isRunning) return <Spinner size="sm" />;
  if (step === undefined) return <CircleDashed className="size-4 text-subtle-foreground" />;

  return step.ok ? (
    <CircleCheck aria-label="通过" className="size-4 text-success-ink" />
  ) : (
    <CircleX aria-label="未通过" className="size-4 text-danger-ink" />
  );
}
