import type { Config, ConfigTest } from "@shared/configs.ts";
import { useEffect, useRef, useState } from "react";
import { notify } from "@/lib/notify";
import { trpc } from "@/trpc";

const STEP_MS = 250;

/** Runs the test of one configuration. Its steps arrive together and are shown one after the other: `shown` counts them up. */
export function useConnectionTest(config: Config) {
  // Counts how often what had been tested was changed: a result of what was before is not told any more.
  const edition = useRef(0);
  const test = trpc.configs.test.useMutation({
    meta: { errorTitle: "测试失败" },
    onMutate: () => edition.current,
    // After the last of its steps has been shown.
    onSuccess: (result, _input, tested) =>
      void setTimeout(() => {
        if (tested === edition.current) announce(config, result);
      }, result.steps.length * STEP_MS),
  });
  const shown = useCountUp(test.data?.steps.length ?? 0, test.data);
  return {
    run: () => test.mutate({ id: config.id }),
    isRunning: test.isPending,
    result: test.data,
    shown,
    forget(): void {
      edition.current += 1;
      test.reset();
      notify.dismiss(noticeOf(config));
    },
  };
}

function noticeOf({ id }: Config): string {
  return `test-${id}`;
}

function announce(config: Config, { connected, steps, latencyMs }: ConfigTest): void {
  if (connected) {
    const message = `${config.name} 可以读取云主机，响应 ${latencyMs} 毫秒`;
    notify.success("连接成功", { id: noticeOf(config), message });
    return;
  }
  const failed = steps.find(({ ok }) => !ok);
  const message = `${config.name}：${failed?.message ?? "请检查配置"}`;
  notify.error("连接失败", { id: noticeOf(config), message });
}

/** 0…end, one more every {@link STEP_MS}; starts again for another `subject`. */
function useCountUp(end: number, subject: unknown): number {
  const [count, setCount] = useState({ subject, value: 0 });
  const value = count.subject === subject ? count.value : 0;
  useEffect(() => {
    if (value >= end) return;
    const timer = setTimeout(() => setCount({ subject, value: value + 1 }), STEP_MS);
    return () => clearTimeout(timer);
  }, [value, end, subject]);
  return value;
}
