import {
  ArrowLeft,
  Construction,
  House,
  LayoutDashboard,
  type LucideIcon,
  RotateCw,
  SearchX,
  ServerOff,
  ShieldX,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "@/components/ui/button";
import { useSession } from "@/session/session";

export function NotFoundPage() {
  return (
    <NoticePage icon={SearchX} title="页面不存在" description="地址可能输入有误，或页面已被移动。">
      <Button asChild>
        <Link href="/">
          <House />
          返回首页
        </Link>
      </Button>
    </NoticePage>
  );
}

export function UnderDevelopmentPage() {
  return (
    <NoticePage
      icon={Construction}
      title="功能开发中"
      description="这个页面还在开发中，暂时无法使用。"
    >
      <Button asChild>
        <Link href="/dashboard">
          <LayoutDashboard />
          返回仪表盘
        </Link>
      </Button>
    </NoticePage>
  );
}

export function UnauthorizedPage() {
  const [, navigate] = useLocation();
  // An older browser, which cannot say whether the entry before is a page of this console, goes to
  // the dashboard.
  const canGoBack = "navigation" in window && window.navigation.canGoBack;

  return (
    <NoticePage
      icon={ShieldX}
      title="没有访问权限"
      description="您的账号没有权限访问这个页面。如需开通，请联系系统管理员。"
    >
      <Button
        onClick={() => (canGoBack ? history.back() : navigate("/dashboard", { replace: true }))}
      >
        <ArrowLeft />
        返回上一页
      </Button>
    </NoticePage>
  );
}

/**
 * After a reload during an outage, at every address. The session goes on as soon as the server
 * answers.
 */
export function UnreachablePage() {
  const { retry, logout } = useSession();
  return (
    <div role="alert">
      <NoticePage
        icon={ServerOff}
        title="暂时无法连接服务器"
        description="您仍处于登录状态。系统正在自动重试，恢复后会继续打开这个页面。"
      >
        <Button onClick={retry}>
          <RotateCw />
          立即重试
        </Button>
        <Button variant="outline" onClick={logout}>
          退出登录
        </Button>
      </NoticePage>
    </div>
  );
}

type NoticePageProps = {
  icon: LucideIcon;
  title: string;
  description: string;
  children: ReactNode;
};

/** One message and one link. Inside the shell for a signed-in user, else alone on the page. */
function NoticePage({ icon: Icon, title, description, children }: NoticePageProps) {
  const { user } = useSession();
  const notice = (
    <div className="flex flex-col items-center px-6 py-16 text-center md:py-24">
      <span className="grid size-14 place-items-center rounded-md border bg-card text-muted-foreground shadow-xs">
        <Icon className="size-6.5" />
      </span>
      <h1 className="mt-5 text-xl font-semibold">{title}</h1>
      <p className="mt-1.5 max-w-md text-balance text-muted-foreground">{description}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">{children}</div>
    </div>
  );

  return user !== null ? (
    notice
  ) : (
    <main className="grid min-h-dvh place-items-center">{notice}</main>
  );
}
