"""The search, typed as people type: the page that answers comes first.

What is typed and what it means are written here, apart from the pages' own search words.
"""

from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from visits import SITE

ANSWERS = {
    "back/contributing": ["report error"],
    "back/teaching": ["slides", "how to cite"],
    "gradients/base_distributions": ["inverse cdf sampling"],
    "confidence/calibration": ["calibrate", "temperature scaling", "calibraton",
                               "calibration of the network in pytorch",
                               "how do I make my classifier's probabilities honest"],
    "confidence/open_set": ["ood detection", "out of distribution"],
    "confidence/reliability": ["conformal prediction", "ECE", "reliability diagram"],
    "gradients/gaussian_kl": ["kl of gaussians", "kl between two normal distributions"],
    "gradients/implicit": ["implicit reparameterization", "rsample gamma"],
    "gradients/reparameterisation": ["reparameterization", "reparametrisation trick"],
    "gradients/score_function": ["REINFORCE", "reinfroce", "log derivative trick"],
    "gradients/vae": ["VAE", "ELBO", "variational autoencoders"],
    "gradients/vae_codes": ["beta-vae", "posterior collapse"],
    "gumbel/beam_search": ["stochastic beam search"],
    "gumbel/concrete": ["gumbel softmax pytorch", "concrete distribution"],
    "gumbel/gumbel_max": ["gumbel max trick", "gumbel-max"],
    "gumbel/relaxed_gradients": ["straight through estimator"],
    "gumbel/top_k": ["gumbel top k", "plackett luce"],
    "gumbel/truncated": ["counterfactual"],
    "language/attention": ["attention sink", "scaled dot product attention"],
    "language/blocks": ["online softmax", "flash attention", "merge attention states"],
    "language/decoding": ["nucleus sampling", "top-p", "min-p", "temperature language model",
                          "temperature of a language model"],
    "language/preferences": ["direct preference optimization", "best of n", "bradley terry"],
    "language/speculative": ["speculative decoding", "draft model acceptance rate"],
    "language/watermarks": ["watermark", "SynthID", "green list"],
    "rewards/arsm": ["ARSM"],
    "rewards/groups": ["GRPO", "RLOO"],
    "rewards/hard_attention": ["soft attention vs hard attention"],
    "rewards/kl_penalty": ["k3 estimator"],
    "rewards/policies": ["policy gradient"],
    "rewards/seqgan": ["seqgan"],
    "softmax/entropy": ["kl divergence", "cross entropy"],
    "softmax/logits": ["logits"],
    "softmax/numerics": ["log-sum-exp overflow", "softmax nan", "why subtract max softmax",
                         "numerically stable log-softmax numpy"],
    "softmax/rescorla_wagner": ["Rescorla–Wagner"],
    "softmax/square_loss": ["square loss"],
    "tools/variations": ["euler lagrange", "calculus of variations"],
    "unnormalised/nce": ["NCE", "noise contrastive estimation"],
    "unnormalised/negative_sampling": ["negative sampling"],
    "unnormalised/word_vectors": ["word2vec"],
}


@pytest.fixture(scope="module")
def found(browser):
    """The pages that are found, and what is said of them; from a disk, as from a server."""
    page = browser.new_page()
    troubles = []
    page.on("pageerror", lambda error: troubles.append(str(error)))

    def found(query):
        page.goto(f"{(SITE / 'search.html').as_uri()}?q={quote(query)}")
        page.locator("#found:not(:empty)").wait_for()
        assert not troubles
        links = [link.get_attribute("href") for link in page.locator("#results > li > a").all()]
        return [link.partition("book/")[2].removesuffix(".html") for link in links], page

    yield found
    page.close()


@pytest.mark.parametrize(("name", "query"), [(name, query) for name in ANSWERS for query in ANSWERS[name]])
def test_the_page_that_answers_comes_first(found, name, query):
    assert found(query)[0][0] == name


def test_a_typing_error_is_told(found):
    assert "calibraton" in found("calibraton")[1].locator("#found").inner_text()


def test_nothing_is_found_for_what_is_no_word(found):
    names, page = found("qqqqwwww")
    assert names == [] and page.locator("#found").inner_text() == "Nothing found."


def test_what_is_shown_of_a_page_is_a_sentence_and_leads_to_its_sections(found):
    _, page = found("sigmoid logit")
    first = page.locator("#results > li").first
    sentence = first.locator("p").inner_text()
    assert sentence[0].isupper() and sentence[-1] in ".?!:…" and "\\" not in sentence
    assert {"sigmoid", "logit"} & {mark.lower() for mark in first.locator("p mark").all_inner_texts()}
    link = first.locator("small a").first
    head = link.inner_text()
    link.click()
    page.wait_for_url(f"{SITE.as_uri()}/book/**")
    assert head in page.locator(":target > h2").inner_text()


def test_sections_are_where_they_are_said_to_be(found):
    places = set()
    for query in ("softmax", "temperature", "KL divergence", "Rescorla–Wagner", "log-odds", "Gumbel"):
        _, page = found(query)
        links = page.locator("#results small a")
        places |= {*links.evaluate_all("links => links.map(link => link.href)")}
    assert len(places) > 100
    for place in places:
        address, _, anchor = unquote(place.removeprefix("file://")).partition("#")
        assert f'id="{anchor}"' in Path(address).read_text("utf8"), place


def test_the_words_of_the_book_are_light():
    # a megabyte of text, packed, which is fetched once, by those who search
    assert (SITE / "_static/words.js").stat().st_size < 420_000
