import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogFooter,
  DialogHeader,
} from "@/components/ui/dialog";
import { Progress } from "@/components/ui/progress";
import { formatNumber } from "@/lib/format-number";
import { useLeaveGuard } from "@/lib/use-leave-guard";
import type { ImportKind } from "./import-kind";
import { InitialPasswords } from "./initial-passwords";
import type { NewPassword } from "./new-passwords";
import type { Run } from "./use-import";

type ImportRunDialogProps = {
  kind: ImportKind;
  run: Run;
  onClose: () => void;
};

/**
 * Over the page from the click on: what was begun cannot be left by accident, and neither can the
 * initial passwords, which no later answer tells.
 */
export function ImportRunDialog({ kind, run, onClose }: ImportRunDialogProps) {
  /** In which state it was to be closed. */
  const [askedIn, setAskedIn] = useState<Run["kind"]>("none");
  const wasAskedToClose = askedIn === run.kind;
  const isOpen = run.kind !== "none";
  useLeaveGuard(run.kind === "running");

  function close(): void {
    setAskedIn("none");
    onClose();
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={() => {
        if (run.kind === "lost") close();
        else setAskedIn(run.kind);
      }}
    >
      <DialogContent size="md" onInteractOutside={(event) => event.preventDefault()}>
        <DialogHeader title={kind.title} />
        <RunState kind={kind} run={run} wasAskedToClose={wasAskedToClose} onClose={close} />
      </DialogContent>
    </Dialog>
  );
}

type RunStateProps = ImportRunDialogProps & { wasAskedToClose: boolean };

function RunState({ kind, run, wasAskedToClose, onClose }: RunStateProps) {
  switch (run.kind) {
    case "none":
      return null;
    case "running":
      return <Running kind={kind} count={run.count} wasAskedToClose={wasAskedToClose} />;
    case "lost":
      return <LostAnswer kind={kind} problem={run.problem} onClose={onClose} />;
    case "passwords":
      return (
        <Passwords passwords={run.passwords} wasAskedToClose={wasAskedToClose} onClose={onClose} />
      );
  }
}

type RunningProps = { kind: ImportKind; count: number; wasAskedToClose: boolean };

function Running({ kind, count, wasAskedToClose }: RunningProps) {
  return (
    <DialogBody className="grid gap-3">
      <p role="status">{`正在导入 ${formatNumber(count)} 行`}</p>
      <Progress value={null} label="导入进度" />
      <p className="text-sm text-muted-foreground">{kind.waitNote}</p>
      {wasAskedToClose ? (
        <Alert tone="warning" live>
          导入正在进行，请等待它的结果。
        </Alert>
      ) : null}
    </DialogBody>
  );
}

type LostAnswerProps = { kind: ImportKind; problem: string; onClose: () => void };

/** Nobody is told that it failed: rows are written one after the other. */
function LostAnswer({ kind, problem, onClose }: LostAnswerProps) {
  return (
    <>
      <DialogBody>
        <Alert tone="warning" title="没有得到导入的结果" live>
          {`${problem}。${kind.lossNote}`}
        </Alert>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>再次预检</Button>
      </DialogFooter>
    </>
  );
}

type PasswordsProps = {
  passwords: readonly NewPassword[];
  wasAskedToClose: boolean;
  onClose: () => void;
};

function Passwords({ passwords, wasAskedToClose, onClose }: PasswordsProps) {
  return (
    <DialogBody className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {wasAskedToClose ? (
        <Alert tone="danger" live>
          初始密码只显示这一次。请先保存，再勾选“我已保存”。
        </Alert>
      ) : null}
      <InitialPasswords passwords={passwords} onDone={onClose} />
    </DialogBody>
  );
}
