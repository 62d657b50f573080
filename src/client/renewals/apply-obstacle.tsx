import { useLocation } from "wouter";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { renewalPath } from "./renewal-path";

/** Why a request for the chosen host would be refused, or why there is none to choose. */
export type Obstacle = { reason: "none" } | { reason: "taken" } | { reason: "waiting"; pendingId: string };

type ApplyObstacleProps = { obstacle: Obstacle; onLeave: () => void };

export function ApplyObstacle({ obstacle, onLeave }: ApplyObstacleProps) {
  const [, navigate] = useLocation();
  switch (obstacle.reason) {
    case "none":
      return (
        <Alert tone="info" live>
          还没有主机分配给您，暂时不能申请续费。
        </Alert>
      );
    case "taken":
      return (
        <Alert tone="warning" live>
          该主机已不再分配给您，不能申请续费。
        </Alert>
      );
    case "waiting":
      return (
        <Alert
          tone="warning"
          live
          action={
            <Button
              size="sm"
              variant="outline"
              onClick={() => {
                onLeave();
                navigate(renewalPath("client", obstacle.pendingId));
              }}
            >
              查看申请
            </Button>
          }
        >
          该主机已有待处理的续费申请，请等待处理或先取消。
        </Alert>
      );
  }
}
