"""ChainRAG's parts by themselves: what refers, what a rewriting keeps, merging, flows at once."""

import pytest

from irag.actions import Rank, RetrieveSentences, Together
from irag.engine import answer
from irag.errors import LLMError, UserError
from irag.methods import parse_method
from irag.methods.chainrag import ChainRAG
from irag.methods.chainrag_evidence import merged
from irag.methods.chainrag_references import keeps_names, refers, rounds
from irag.methods.chainrag_together import side_by_side
from irag.types import Document, Scored
from tests.fakes import fake_tools


@pytest.mark.parametrize(
    "text",
    [
        "Which town did she come from?", "When was his mother born?", "Who owns this?",
        "Where is that town?", "When did #1 open?", "That man wrote what?", "Its mayor is who?",
        "Where does it flow?", "她出生在哪里？", "这座城市有多少人？", "其首都在哪里？", "该公司何时成立？",
    ],
)  # fmt: skip
def test_pronouns_and_demonstratives_refer(text):
    assert refers(text, 1) and not refers(text, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Where was Titanic built?", "When did Henry write The Others?", "Who directed Her?",
        "Which rivers flow through Osk?", "Who sang in the theatre of Marl?",
        "Which river that crosses Osk is longest?", "When did Ana Kor sell her first painting?",
        "Who wrote “That Day”?", "What is the former name of Osk?", "Is IT a word?",
        "谁写了《那些年》？", "土耳其的首都是哪里？", "其他城市有多少？", "吉他是谁发明的？", "维生素应该何时吃？",
    ],
)  # fmt: skip
def test_names_titles_and_parts_of_words_do_not_refer(text):  # FR-098
    assert not refers(text, 1)


def test_the_latter_needs_two_to_choose_from():
    assert refers("When did the latter author die?", 2)
    assert not refers("When did the latter author die?", 1)


def test_only_what_a_shared_name_led_to_is_ranked_with_its_seed():
    trace = answer(
        "Who is Ana Kor?",
        parse_method("chainrag:decomposition=none,reader=none,seeds=1,max_expansions=2"),
        fake_tools(),
    )
    asked = {
        unit.text: rank.query
        for rank in (step.action for step in trace.steps if isinstance(step.action, Rank))
        for unit in rank.units
    }
    assert asked["Marl lies beside the Tem."] == "Who is Ana Kor? Ana Kor was an artist."
    assert asked["She came from Marl."] == "Who is Ana Kor?"


def test_a_sub_question_waits_only_for_what_it_refers_to():
    asked = ["Who made A?", "Who made B?", "When did she die?", "Where is B?", "Is it far?"]
    assert rounds(asked) == [asked[:2], asked[2:4], asked[4:]]


def test_names_numbers_and_titles_must_survive_a_rewriting():
    assert keeps_names("Did she meet Jon Pell in 1920?", "Did Ana Kor meet Jon Pell in 1920?")
    assert not keeps_names("Did she meet Jon Pell in 1920?", "Did Ana Kor meet Jon in 1920?")
    assert not keeps_names("她写《河》了吗？", "安娜写书了吗？")
    assert keeps_names("When did #1 open?", "When did Osk open?")


def test_an_error_reaches_the_flow_that_asked_and_only_it():
    def one(query):
        try:
            found = yield from RetrieveSentences(query, 1)
        except LLMError:
            return "caught"
        return found

    flow = side_by_side([one("a"), one("b")])
    assert isinstance(next(flow), Together)
    with pytest.raises(StopIteration) as stop:
        flow.send((LLMError("no"), ("b",)))
    assert stop.value.value == ["caught", ("b",)]


def test_equal_sums_keep_the_order_of_the_sub_questions():
    a, b, c = (Document(name, name, name) for name in "abc")
    lists = [[Scored(c, 9.0), Scored(a, 8.0)], [Scored(b, 0.2), Scored(a, 0.1)]]
    assert [(s.unit.id, s.score) for s in merged(lists)] == [("c", 1.0), ("b", 1.0), ("a", 1.0)]
    assert merged([]) == ()


def test_sub_questions_with_commas_come_back_from_the_method_string():
    method = ChainRAG(sub_questions="Where, in Osk, is it? || When, then?", seeds=4)
    assert parse_method(str(method)) == method
    assert parse_method("chainrag:sub_questions=A b, c || d e,seeds=4").seeds == 4
    with pytest.raises(UserError, match="two or more"):
        ChainRAG(sub_questions="Where is Osk?")
