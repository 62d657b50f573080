import { type Outcome, succeed } from "../outcome.ts";
import { type ActionCall, denied } from "./action.ts";

export function getProjectList({ account }: ActionCall): Outcome {
  if (account.isSub) return denied();
  const projects = account.projects.map((project) => ({
    ProjectId: project.id,
    ProjectName: project.name,
    ParentId: "",
    ParentName: "",
    CreateTime: project.createTime,
    IsDefault: project.isDefault,
    ResourceCount: 0,
    MemberCount: 3,
  }));
  return succeed({ ProjectCount: projects.length, ProjectSet: projects });
}
