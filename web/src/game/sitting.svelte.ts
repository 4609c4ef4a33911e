/** An examination that a trainee sits: what is open, what he has said so far, and in the end the marks. */
import { Problem, get, post } from "../api/http";
import type { DrillExam, DrillExamWanted } from "../api/wire";
import { answerOf, blank, isReady } from "./drill";
import type { Draft } from "./drill";

/** Refusals after which the service knows better where the examination stands. */
const BEHIND = ["exam-answered", "exam-order", "exam-ended"];

export class Sitting {
  exam = $state.raw<DrillExam | null>(null);
  drafts = $state<Record<string, Draft>>({});
  remedy = $state("");
  /** Whether leaving was asked for once. */
  sure = $state(false);

  get isOpen(): boolean {
    return this.exam?.problem != null;
  }
  get isReady(): boolean {
    return this.exam?.problem != null && isReady(this.exam.problem, this.drafts, this.remedy);
  }
  get left(): number {
    return this.exam ? this.exam.problems - this.exam.answered : 0;
  }

  private take(found: DrillExam): void {
    this.drafts = found.problem ? blank(found.problem) : {};
    this.remedy = "";
    this.sure = false;
    this.exam = found;
  }
  /** Go on with an examination, wherever it stands. */
  async resume(identifier: string): Promise<void> {
    this.take(await get("/api/drill/exams/{exam}", { exam: identifier }));
  }
  async begin(wanted: DrillExamWanted): Promise<void> {
    this.take(await post("/api/drill/exams", wanted));
  }
  /** Answer what is open. An answer that had arrived although nobody said so is not sent again. */
  async answer(): Promise<void> {
    const { exam, place, problem } = this.exam!;
    const given = answerOf(problem!, this.drafts, this.remedy);
    try {
      this.take(await post("/api/drill/exams/{exam}/answers/{place}", given, { exam, place }));
    } catch (found) {
      if (!(found instanceof Problem) || !BEHIND.includes(found.code)) throw found;
      await this.resume(exam);
    }
  }
  /** Leave early: the first time it only asks. */
  async leave(): Promise<void> {
    if (!this.sure) this.sure = true;
    else this.take(await post("/api/drill/exams/{exam}/end", {}, { exam: this.exam!.exam }));
  }
  close(): void {
    this.exam = null;
  }
}
