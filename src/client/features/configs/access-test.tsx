import type { Config } from "@shared/configs.ts";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogClose, DialogFooter } from "@/components/ui/dialog";
import { type AccessTest, ConnectionTestSteps } from "./connection-test";

type AccessTestResultProps = {
  /** As it was saved. */
  config: Config;
  test: AccessTest;
  /** Goes back to the form. */
  onAgain: () => void;
};

/**
 * In place of a form that has saved a key: whether the key works. That it was saved proves nothing,
 * and the schedule stays paused until the test or a sync has passed.
 */
export function AccessTestResult({ config, test, onAgain }: AccessTestResultProps) {
  const { result, isFailed } = test;
  const works = result?.connected === true;
  const failed = isFailed || result?.connected === false;

  return (
    <>
      <DialogBody className="grid content-start gap-4">
        <Alert tone={failed ? "danger" : "info"} live>
          {textOf(config, test)}
        </Alert>
        {isFailed ? null : <ConnectionTestSteps result={result} />}
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant={works ? "primary" : "outline"}>{works ? "完成" : "关闭"}</Button>
        </DialogClose>
        {failed ? <Button onClick={onAgain}>重新填写</Button> : null}
      </DialogFooter>
    </>
  );
}

function textOf(config: Config, { result, isFailed }: AccessTest): string {
  const pause = config.schedulePausedReason === null ? "" : "，自动同步在连接通过之前保持暂停";
  if (isFailed) return `已保存，但没有得到测试结果${pause}。请稍后点“测试连接”。`;
  if (result === undefined) return "已保存，正在测试连接…";
  if (!result.connected) return `已保存，但连接未通过${pause}。`;
  return config.isActive ? "连接正常，已开始同步。" : "连接正常。配置已停用，不会同步。";
}
