// The question: a field that asks while it is typed in, and the keys that lead from it to the hits.

import { useStore } from "../../state/store";
import { isPattern } from "../../state/url";
import { Icon } from "../parts";
import { useServices } from "../services";

interface QuestionBoxProps {
  input: { current: HTMLInputElement | null };
  /** Goes to the hits; false when there are none. */
  onDown: () => boolean;
}

export function QuestionBox({ input, onDown }: QuestionBoxProps) {
  const { address, controller } = useServices();
  const { q, mode } = useStore(address.state);
  const { pending } = useStore(controller.live.state);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" && onDown()) event.preventDefault();
    if (event.key === "Enter") controller.submit();
    if (event.key === "Escape" && q) {
      event.preventDefault();
      address.commit({ q: "" });
    }
  };
  const clear = () => {
    address.commit({ q: "" });
    input.current?.focus();
  };
  return (
    <div class="question">
      <label class="sr-only" for="question">
        Question
      </label>
      <span class={pending ? "question-icon is-busy" : "question-icon"}>
        <Icon name={pending ? "refresh" : "search"} />
      </span>
      <input
        id="question"
        ref={input}
        class={isPattern(mode) ? "question-input mono" : "question-input"}
        type="text"
        inputMode="search"
        enterkeyhint="search"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder={isPattern(mode) ? "Text to find, as it stands in the code" : "Where in this code do we …"}
        value={q}
        onInput={(event) => address.type({ q: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      {q ? (
        <button type="button" class="button quiet icon-only" aria-label="Clear the question" onClick={clear}>
          <Icon name="close" />
        </button>
      ) : (
        <kbd aria-hidden="true">/</kbd>
      )}
    </div>
  );
}
