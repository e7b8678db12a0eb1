"""An uploaded picture is read by a limited process, and becomes a stored instance."""

import pytest

from data.errors import InvalidInstance
from runs.imports.service import ImportService
from runs.store.home import Home
from tests.data.pictures.made_up import bomb, encode_picture, portrait

pytestmark = pytest.mark.slow


def test_picture_becomes_a_stored_instance_and_a_bomb_nothing(tmp_path):
    home = Home(tmp_path)
    service = ImportService(home)
    picture = home.incoming / "picture"
    picture.write_bytes(encode_picture(portrait()))
    instance = service.adopt_picture(picture, "C:\\me.png", 150, 1.5, False, 7)
    assert (instance.name, instance.n) == ("me", 150)
    assert ImportService(home).instance({"sha256": instance.sha256}).n == 150
    picture.write_bytes(bomb(30_000))
    with pytest.raises(InvalidInstance, match="million pixels"):
        service.adopt_picture(picture, "b.png", 150, 1.0, False, 1)
    assert len(list((tmp_path / "instances").iterdir())) == 1
    assert not list(home.incoming.iterdir())
