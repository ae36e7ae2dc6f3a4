"""Numbers, answers, yes or no, JSON."""

import pytest

from irag.parse import Unparsed, answer_line, conclusion, json_value, numbers, yes_no


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ('{"chain":[3,1],"answer":""}', (3, 1)),
        ('{"answer":"5","chain":[2, 2]}', (2,)),
        ('```json\n{"chain": ["4"]}\n```', (4,)),
        ('{"chain":[],"answer":"Osk"}', ()),
        ('{"chain":[1, 2', (1,)),  # 2 may be the beginning of 20
        ('{"chain":[9, 2]}', (2,)),
        ("[2]", (2,)),
        ("3 and 5.", (3, 5)),
        ("I choose candidate 2, from 1931.", (2,)),
        ("None of these fits.", ()),
        ("<think>1 or 2?</think>2", (2,)),
    ],
)
def test_numbers_from_json_and_prose(reply, chosen):
    assert numbers(reply, 8) == chosen


@pytest.mark.parametrize("reply", ["", "Osk", '{"chain":[99]}', '{"chain":', "3.5", "<think>2"])
def test_replies_without_a_number_are_unparsed(reply):
    assert isinstance(numbers(reply, 8), Unparsed)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (  # FR-100
            "Ana Kor wrote it. So the answer is: Osk. When it is my turn I will ask: Q: Who ...",
            "Osk",
        ),
        ("the answer is 3.5 km.", "3.5 km"),
        ("So the answer is: St. Pell.", "St. Pell"),
        ("\n\nOsk\nIt is a port.", "Osk"),
        ("Answer: Osk", "Osk"),
        ("The answer is:\n\n**Osk Tower**.", "Osk Tower"),
        ("The answer is not clear yet. So the answer is Osk.", "Osk"),
        ("Osk, because Ana Kor was born there.", "Osk"),
        ("Washington, D.C.", "Washington, D.C."),
        ('"Marl Days"', "Marl Days"),
        ('{"answer": "Osk"}', "Osk"),
        ("<think>Marl?</think>\nOsk", "Osk"),
        ("Yes, both are.", "Yes"),  # FR-107
        ("No, No, Nanette", "No, No, Nanette"),
        ("答案是：奥斯克。因为它是港口。", "奥斯克"),
        ("是的，他们都在。", "是的"),
        ("12 May 1931", "12 May 1931"),
    ],
)
def test_the_answer_without_label_and_explanation(reply, answer):
    assert answer_line(reply) == answer


@pytest.mark.parametrize(
    "reply", ["", " \n", "<think>Osk", "Answer:", '{"status":"ok"}', '{"answer": "Os', "{\n\n"]
)
def test_replies_without_an_answer_are_unparsed(reply):  # FR-005, FR-082
    assert isinstance(answer_line(reply), Unparsed)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Yes.", True),
        ("No, they are not.", False),
        ("So the answer is: no.", False),
        ('{"sufficient": true}', True),
        ("false", False),
        ("是的。", True),
        ("不是。", False),
        ("否", False),
    ],
)
def test_yes_and_no(reply, said):
    assert yes_no(reply) is said


@pytest.mark.parametrize("reply", ["Perhaps.", "", "Norway", "Yesterday"])
def test_neither_yes_nor_no_is_unparsed(reply):
    assert isinstance(yes_no(reply), Unparsed)


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('As in [1]: {"a": [1, 2.5, -3], "b": null, "c": true,}', {"a": [1, 2.5, -3], "b": None, "c": True}),
        ("{'it': 'O'Brien, said \"so\"'}", {"it": "O'Brien, said \"so\""}),
        ('{"a": {"b": [{"c": "d"}]}} trailing', {"a": {"b": [{"c": "d"}]}}),
        ("7", 7),
        ("[]", []),
    ],
)  # fmt: skip
def test_json_as_models_write_it(reply, value):
    assert json_value(reply) == value


def test_deep_nesting_is_unparsed_not_a_crash():
    assert isinstance(json_value("[" * 5_000), Unparsed)


def test_reasoning_comes_to_an_answer_only_where_it_says_so():
    assert conclusion("Ana Kor came from Marl. So the answer is: St. Pell.") == "St. Pell"
    assert conclusion("<think>the answer is 1</think>她来自马尔。所以答案是：马尔。") == "马尔"
    assert isinstance(conclusion("Ana Kor came from Marl."), Unparsed)
    assert isinstance(conclusion("<think>So the answer is: Osk</think> Hm."), Unparsed)
