import { Construction, LayoutDashboard } from "lucide-react";
import { Link } from "wouter";
import { Button } from "@/components/ui/button";
import { NoticePage } from "./notice-page";

/** For what is not there yet: says so, and leads on. */
export function ComingPage() {
  return (
    <NoticePage
      icon={Construction}
      title="功能开发中"
      description="这个页面还在开发中，暂时无法使用。"
      action={
        <Button asChild>
          <Link href="/dashboard">
            <LayoutDashboard aria-hidden="true" />
            返回仪表盘
          </Link>
        </Button>
      }
    />
  );
}
