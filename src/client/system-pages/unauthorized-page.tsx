import { ArrowLeft, ShieldX } from "lucide-react";
import { useLocation } from "wouter";
import { Button } from "@/components/ui/button";
import { NoticePage } from "./notice-page";

export function UnauthorizedPage() {
  const [, navigate] = useLocation();
  return (
    <NoticePage
      icon={ShieldX}
      title="没有访问权限"
      description="您的账号没有权限访问这个页面。如需开通，请联系系统管理员。"
      action={
        <Button onClick={() => (canGoBack() ? history.back() : navigate("/dashboard", { replace: true }))}>
          <ArrowLeft aria-hidden="true" />
          返回上一页
        </Button>
      }
    />
  );
}

/** Whether the entry before this one is a page of this console; an older browser that cannot say goes to the dashboard. */
function canGoBack(): boolean {
  return "navigation" in window && window.navigation.canGoBack;
}
