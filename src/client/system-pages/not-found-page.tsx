import { FileQuestion, House } from "lucide-react";
import { Link } from "wouter";
import { Button } from "@/components/ui/button";
import { NoticePage } from "./notice-page";

export function NotFoundPage() {
  return (
    <NoticePage
      icon={FileQuestion}
      title="页面不存在"
      description="地址可能输入有误，或页面已被移动。"
      action={
        <Button asChild>
          <Link href="/">
            <House aria-hidden="true" />
            返回首页
          </Link>
        </Button>
      }
    />
  );
}
