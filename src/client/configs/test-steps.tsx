import { CONFIG_TEST_STEPS, type ConfigTest, type ConfigTestStep, STEP_NOT_RUN } from "@shared/configs.ts";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { Spinner } from "@/components/ui/spinner";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format-number";

type TestStepsProps = {
  /** Undefined while the test is under way. */
  result: ConfigTest | undefined;
  /** How many of the result's steps to show. */
  shown: number;
};

export function TestSteps({ result, shown }: TestStepsProps) {
  const isWhole = result !== undefined && shown >= result.steps.length;
  return (
    <div className="grid gap-2 rounded-md border bg-muted/50 px-3.5 py-3" aria-live="polite" aria-busy={!isWhole}>
      <ol className="grid gap-1.5">
        {Object.values(CONFIG_TEST_STEPS).map((name, index) => (
          <StepLine
            key={name}
            name={name}
            step={index < shown ? result?.steps[index] : undefined}
            isUnderWay={index === shown && !isWhole}
          />
        ))}
      </ol>
      {isWhole && result.connected ? (
        <p className="border-t pt-2 text-xs text-muted-foreground tabular-nums">
          测试通过，响应 {formatNumber(result.latencyMs)} 毫秒
        </p>
      ) : null}
    </div>
  );
}

type StepLineProps = { name: string; step: ConfigTestStep | undefined; isUnderWay: boolean };

function StepLine({ name, step, isUnderWay }: StepLineProps) {
  const wasSkipped = step !== undefined && !step.ok && step.message === STEP_NOT_RUN;
  return (
    <li className="flex items-start gap-2 text-sm">
      <span className="mt-0.5 grid size-4 shrink-0 place-items-center">
        <StepIcon step={wasSkipped ? undefined : step} isUnderWay={isUnderWay} />
      </span>
      <span className="min-w-0">
        <span className={cn("font-medium", (step === undefined || wasSkipped) && "text-muted-foreground")}>{name}</span>
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

function StepIcon({ step, isUnderWay }: Pick<StepLineProps, "step" | "isUnderWay">) {
  if (isUnderWay) return <Spinner size="sm" label={null} />;
  if (step === undefined) return <CircleDashed aria-hidden="true" className="size-4 text-subtle-foreground" />;
  return step.ok ? (
    <CircleCheck aria-label="通过" className="size-4 text-success-ink" />
  ) : (
    <CircleX aria-label="未通过" className="size-4 text-danger-ink" />
  );
}
